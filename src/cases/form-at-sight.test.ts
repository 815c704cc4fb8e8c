import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sightOf } from './form-at-sight.ts'

const schema = z.looseObject({
  text: z.string(),
  texts: z.array(z.string()).optional(),
  choice: z.enum(['low', 'high']).optional(),
  flag: z.boolean().nullable().optional(),
  count: z.number().int().nonnegative().optional(),
  part: z.looseObject({ name: z.string() }).optional(),
})

const anyField = fc.oneof(
  fc.constantFrom(null, true, 'low', 'other', 1, -1, [], ['a'], ['a', 1], { name: 'x' }, { name: 1 }),
  fc.anything({ maxDepth: 2 }),
)
/** Mostly right, so that a single fault decides. */
const like = (right: unknown) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: anyField })
const some = fc.record(
  {
    text: like('a'),
    texts: like(['b']),
    choice: like('high'),
    flag: like(null),
    count: like(undefined),
    part: like({ name: 'c' }),
    more: anyField,
  },
  { requiredKeys: ['text'] },
)

describe('a form known at sight', () => {
  const sight = sightOf(schema)

  it('never takes what the schema refuses', () => {
    fc.assert(
      fc.property(fc.oneof(some, fc.anything()), (value) => {
        if (sight(value)) expect(schema.safeParse(value).success).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('knows what is usual', () => {
    expect(
      sight({ text: 'a', texts: ['b'], choice: 'low', flag: null, part: { name: 'c', more: 1 }, more: 2 }),
    ).toBe(true)
  })

  it('leaves to the schema what it does not understand', () => {
    expect(sight({ text: 'a', count: 1 })).toBe(false)
    expect(sightOf(z.string().min(1))('a')).toBe(false)
    expect(sightOf(z.strictObject({ text: z.string() }))({ text: 'a', more: 1 })).toBe(false)
    expect(sightOf(z.object({ text: z.string() }))({ text: 'a' })).toBe(false)
  })
})
