import { expect, it } from 'vitest'
import { slotVariables } from './slot-variables.ts'

it('gives each slot its own ports and database, and fills them in wherever they are named', () => {
  const { environment, fill } = slotVariables(3, 'My Shop!', {
    PORT: '{port}',
    URL: 'db://x/{database}',
    KEEP: '{other}',
  })
  expect(environment).toEqual({
    AXIOM_SLOT: '3',
    AXIOM_PORT: '20060',
    AXIOM_DATABASE: 'axiom_my_shop__3',
    PORT: '20060',
    URL: 'db://x/axiom_my_shop__3',
    KEEP: '{other}',
  })
  expect(fill('createdb {database} && serve {slot} {port}')).toBe(
    'createdb axiom_my_shop__3 && serve 3 20060',
  )
})

it('gives two slots nothing in common', () => {
  const [a, b] = [0, 1].map((slot) => slotVariables(slot, 'shop', {}).environment)
  expect(Object.keys(a ?? {}).filter((name) => a?.[name] === b?.[name])).toEqual([])
})
