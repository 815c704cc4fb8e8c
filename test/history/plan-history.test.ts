import { expect, it } from 'vitest'
import { type HistoryCommit, type PathChange, planHistory } from './plan-history.ts'

const change = (path: string, kind: PathChange['kind'] = 'changed'): PathChange => ({ path, kind })

function dependencies(...commits: PathChange[][]): Record<string, readonly string[]> {
  const made: HistoryCommit[] = commits.map((changes, i) => ({ commit: `${i}`, subject: `${i}`, changes }))
  return Object.fromEntries(planHistory(made).map(({ key, dependsOn }) => [key, dependsOn]))
}

it('makes commits wait for the last one that touched the same file, and lets the others run', () => {
  expect(dependencies([change('a')], [change('b')], [change('a')], [change('a'), change('b')])).toEqual({
    ...{ c0001: [], c0002: [], c0003: ['c0001'], c0004: ['c0002', 'c0003'] },
  })
})

it('knows that a file and a folder cannot stand in one place', () => {
  expect(
    dependencies([change('x/y/z')], [change('x', 'added')], [change('x/q', 'added')], [change('xy')]),
  ).toEqual({ c0001: [], c0002: ['c0001'], c0003: ['c0002'], c0004: [] })
})

it('keeps apart what git would move into a renamed folder', () => {
  const rename = [change('old/a', 'removed'), change('new/a', 'added')]
  expect(dependencies(rename, [change('old/b', 'added')], [change('new/c', 'added')])).toEqual({
    ...{ c0001: [], c0002: ['c0001'], c0003: [] },
  })
})
