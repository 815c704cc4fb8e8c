import { describe, expect, it } from 'vitest'
import type { Case, CaseType, Status } from '../cases/case.ts'
import { type Anchor, annotationsOf, paintCanvas } from './canvas.ts'
import { collapseCanvas } from './collapse-canvas.ts'
import { countedUnits } from './count-words.ts'
import { decidingCase, stateOfCase } from './region-state.ts'

function made(id: string, type: CaseType, status: Status = 'pending'): Case {
  const at = '2020-01-01T00:00:00.000Z'
  return {
    id,
    type,
    status,
    content: id,
    parentId: null,
    createdAt: at,
    updatedAt: at,
    metadata: {},
    rev: 1,
    uid: id,
  }
}

const on = (text: string, caseId: string, words: string): Anchor => {
  const start = text.indexOf(words)
  expect(start, words).toBeGreaterThanOrEqual(0)
  return { caseId, start, end: start + words.length }
}

describe('The colour of a region', () => {
  it.each([
    ['gray', 'draft', 'pending'],
    ['orange', 'research', 'active'],
    ['purple', 'pending', 'pending'],
    ['blue', 'operation', 'pending'],
    ['green', 'operation', 'done'],
    ['blue', 'task', 'review'],
    ['blue', 'task', 'failed'],
    ['green', 'task', 'done'],
    ['red', 'deferred', 'pending'],
    [undefined, 'directive', 'active'],
    [undefined, 'discovery', 'active'],
  ] as const)('is %s for a %s that is %s', (colour, type, status) => {
    expect(stateOfCase(made('a', type, status))).toBe(colour)
  })

  it('is none for a deleted case', () => {
    expect(stateOfCase({ ...made('a', 'task'), deletedAt: '2020-01-01T00:00:00.000Z' })).toBeUndefined()
  })

  it.each([
    ['b', [made('a', 'task', 'done'), made('b', 'task')]],
    ['b', [made('a', 'task', 'done'), made('b', 'deferred')]],
    ['a', [made('a', 'draft'), made('b', 'research'), made('c', 'task')]],
    ['b', [made('a', 'pending', 'done'), made('b', 'task', 'done')]],
    ['a', [made('a', 'pending', 'done')]],
    [undefined, [made('a', 'directive')]],
    [undefined, []],
  ])('is decided by the least finished case: %s', (id, cases) => {
    expect(decidingCase(cases)?.id).toBe(id)
  })
})

describe('Coverage counts', () => {
  const words = (text: string) => {
    const counted = countedUnits(text)
    return [...text].length === text.length
      ? [...text].filter((_, at) => counted[at] === 1).join('')
      : counted.reduce((sum, unit) => sum + unit, 0)
  }
  it.each([
    ['a b, c.\n\n  \n', 'abc'],
    ['# Title\n\ntext', 'text'],
    ['# Title\n## Empty\n## Full\ntext', 'Emptytext'],
    ['# Alone', 'Alone'],
    ['- one\n* two\n3. three\n- [x] four\n> five', 'onetwothreefourfive'],
    ['**bold** _it_ `code` ~~gone~~', 'bolditcodegone'],
    ['[link](http://x.y) ![image](z.png)', 'linkimage'],
    ['<b>a</b><!-- not\nthis -->', 'a'],
    ['```ts\n# code\n```', 'code'],
    ['[x]: http://x.y\ntext', 'text'],
    ['| a | b |\n|---|---|\n| c | d |', 'abcd'],
    ['😀', 2],
  ])('%j', (text, expected) => {
    expect(words(text)).toBe(expected)
  })
})

describe('A canvas', () => {
  const text = '# Blog\n\nRead one. Write two. Edit ten.\n\nMore.\n'
  const cases = [made('t1', 'task', 'done'), made('t2', 'task'), made('t3', 'task'), made('d', 'directive')]
  const anchors = [on(text, 't1', 'Read one.'), on(text, 't2', 'Edit ten.')]

  it('says how much of the words is in which state, where gaps are, and who has no region', () => {
    const canvas = paintCanvas(text, cases, anchors)
    expect(canvas.regions.map(({ state, text: words }) => [state, words.trim()])).toEqual([
      ['black', '# Blog'],
      ['green', 'Read one.'],
      ['black', 'Write two.'],
      ['blue', 'Edit ten.'],
      ['black', 'More.'],
    ])
    const total = 7 + 8 + 7 + 4
    expect(canvas.coverage).toMatchObject({
      green: 700 / total,
      blue: 700 / total,
      black: 1200 / total,
      red: 0,
    })
    const at = (list: readonly { start: number; end: number }[]) =>
      list.map(({ start, end }) => text.slice(start, end))
    expect(at(canvas.gaps)).toEqual(['Write two'])
    expect(at(canvas.orphanRegions)).toEqual(['Write two', 'More'])
    expect(canvas.orphanCases).toEqual(['t3'])
    expect(canvas.satisfied).toBe(false)
  })

  it('is satisfied when every word is done or deferred, and only then', () => {
    const all = [...anchors, on(text, 't3', 'Write two'), on(text, 'x', 'More')]
    const ended = [made('t1', 'task', 'done'), made('t2', 'task', 'done'), made('t3', 'task', 'done')]
    expect(paintCanvas(text, [...ended, made('x', 'deferred')], all).satisfied).toBe(true)
    expect(paintCanvas(text, [...ended, made('x', 'task')], all).satisfied).toBe(false)
    expect(paintCanvas(text, ended, all).satisfied).toBe(false)
    expect(paintCanvas('', [], []).satisfied).toBe(false)
  })

  it('gives each character one state: regions follow each other and hold the text', () => {
    const overlapping = [...anchors, on(text, 't3', 'one. Write'), { caseId: 't2', start: -3, end: 9_999 }]
    const { regions } = paintCanvas(text, cases, overlapping)
    expect(regions.map((region) => region.text).join('')).toBe(text)
    expect(regions.find((region) => region.text === 'one.')).toMatchObject({
      state: 'blue',
      caseIds: ['t1', 't3'],
    })
  })

  it('is red for the open cases under a deferred one, and green for what was done before', () => {
    const under = cases.map((subject) => ({ ...subject, parentId: 'put-off' }))
    const { regions } = paintCanvas(text, [...under, made('put-off', 'deferred')], anchors)
    expect(regions.map(({ state }) => state)).toEqual(['black', 'green', 'black', 'red', 'black'])
  })

  it('is written down as annotations', () => {
    expect(annotationsOf(paintCanvas('a b', cases, [{ caseId: 't1', start: 0, end: 1 }]))).toEqual([
      { start: 0, end: 1, state: 'green', caseId: 't1', text: 'a' },
      { start: 1, end: 3, state: 'black', caseId: null, text: ' b' },
    ])
  })

  it('collapses for a prompt: finished to a line, under way to a reference, the rest in full', () => {
    expect(collapseCanvas(paintCanvas(text, cases, anchors))).toBe(
      '# Blog\n\n[done, t1: Read one.] Write two. [under way: t2]\n\nMore.\n',
    )
  })
})
