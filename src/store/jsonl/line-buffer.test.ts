import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineBuffer } from './line-buffer.ts'
import { sealedLine, sealHolds } from './line-seal.ts'

/** Texts that are copied, escaped and encoded: short and long, with quotes, control characters, other scripts, halves of pairs. */
const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\u007f', 'é', '漢', '\ud83d', '\ude00'),
    maxLength: 90,
  }),
)

const { value: plain } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, undefined, -0),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}))

function line(object: object, fields: Readonly<Record<string, unknown>> = {}): string {
  // Small, so that it has to grow in the middle of things.
  const buffer = new LineBuffer(16)
  buffer.open(object)
  for (const [name, value] of Object.entries(fields)) buffer.field(name, value)
  buffer.seal()
  return buffer.content.toString()
}

describe('a line in bytes', () => {
  it('is what JSON makes of the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(text, plain, { minKeys: 1 }), (object) => {
        const written = { first: 1, ...object }
        expect(line(written)).toBe(sealedLine(written))
      }),
      { numRuns: 500 },
    )
  })

  it('holds a long text with any character at any place', () => {
    for (let unit = 0; unit < 0x180; unit += 1) {
      for (let at = 0; at < 9; at += 1) {
        const long = `${'a'.repeat(80 + at)}${String.fromCharCode(unit)}${'~'.repeat(9 - at)}`
        expect(line({ long }), `${unit} at ${at}`).toBe(sealedLine({ long }))
      }
    }
  })

  it('takes further fields at its end', () => {
    const written = { id: 'task-001', rev: 1 }
    const fields = { history: [{ reason: 'said "no"' }], txn: '7', sync: true }
    expect(line(written, fields)).toBe(sealedLine({ ...written, ...fields }))
  })

  it('has a seal that holds, and no longer does when a byte changes', () => {
    const bytes = Buffer.from(line({ id: 'task-001', content: 'größer' }).trimEnd())
    expect(sealHolds(bytes)).toBe(true)
    // The last two close the object: without them it is no JSON.
    for (let at = 0; at < bytes.length - 2; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      expect(sealHolds(changed), `byte ${at}`).toBe(false)
    }
  })

  it('leaves the lines before it as they are', () => {
    const buffer = new LineBuffer(16)
    const objects = [{ id: 'a' }, { id: 'b', long: 'x'.repeat(1_000) }, { id: 'c' }]
    for (const object of objects) {
      buffer.open(object)
      buffer.seal()
    }
    expect(buffer.content.toString()).toBe(objects.map(sealedLine).join(''))
    buffer.clear()
    expect(buffer.content.length).toBe(0)
  })
})
