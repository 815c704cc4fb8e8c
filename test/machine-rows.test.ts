import { expect, it } from 'vitest'
import { DIMENSIONS, LEVEL_OF, ROWS, type Row } from './machine/rows.ts'

const ROWS_MAX = 16

const names = Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[]

/** Each two values of two dimensions, as `wall=unshare node=22`. */
function pairsOf(row: Pick<Row, keyof typeof DIMENSIONS>): string[] {
  return names.flatMap((one, i) => names.slice(i + 1).map((two) => `${one}=${row[one]} ${two}=${row[two]}`))
}

function everyPair(): string[] {
  return names.flatMap((one, i) =>
    names
      .slice(i + 1)
      .flatMap((two) =>
        DIMENSIONS[one].flatMap((a) => DIMENSIONS[two].map((b) => `${one}=${a} ${two}=${b}`)),
      ),
  )
}

it('every two values of two dimensions of a machine meet in a row', () => {
  const met = new Set(ROWS.flatMap(pairsOf))
  expect(everyPair().filter((pair) => !met.has(pair))).toEqual([])
  expect(ROWS.length).toBeLessThanOrEqual(ROWS_MAX)
})

it('without any one row, two values no longer meet', () => {
  for (const row of ROWS) {
    const met = new Set(ROWS.filter((other) => other !== row).flatMap(pairsOf))
    expect(
      everyPair().some((pair) => !met.has(pair)),
      row.name,
    ).toBe(true)
  }
})

it('rows have names of their own, the first installs, and so does one with each Node and one with few open files', () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length)
  expect(ROWS[0]?.installs).toBe(true)
  const installing = ROWS.filter(({ installs }) => installs)
  expect(new Set(installing.map(({ node }) => node))).toEqual(new Set(DIMENSIONS.node))
  expect(installing.some(({ openFiles }) => openFiles === 'few')).toBe(true)
  expect(Object.keys(LEVEL_OF)).toEqual([...DIMENSIONS.wall])
})
