import { describe, expect, it } from 'vitest'
import type { Case } from '../../cases/case.ts'
import { CaseIndex } from '../../cases/case-index.ts'
import { CASE_TYPES } from '../../cases/case-types.ts'
import { execute } from '../../cases/execute.ts'
import { parsePlan } from './parse-plan.ts'

const NEED = 'When I read, I want a blog, so that I learn'
const task = (key: string, more: object = {}) => ({
  key,
  content: `Make ${key}`,
  acceptanceCriteria: [`${key} returns 1`],
  ...more,
})
const operation = (key: string, tasks: object[], more: object = {}) => ({
  key,
  content: `Do ${key}`,
  tasks,
  ...more,
})
const plan = (operations: object[], more: object = {}) => ({ need: NEED, operations, ...more })

function faultsOf(file: unknown): string[] {
  const parsed = parsePlan(typeof file === 'string' ? file : JSON.stringify(file))
  return parsed.kind === 'invalid' ? parsed.faults.map(({ place, message }) => `${place}: ${message}`) : []
}

function warningsOf(file: unknown): string[] {
  const parsed = parsePlan(JSON.stringify(file))
  if (parsed.kind === 'invalid') throw new Error(parsed.faults.map(({ message }) => message).join())
  return parsed.warnings.map(({ place, message }) => `${place}: ${message}`)
}

/** The cases that a plan becomes, by their keys; the directive is under `need`. */
function casesOf(file: unknown): Record<string, Case> {
  const parsed = parsePlan(JSON.stringify(file))
  if (parsed.kind === 'invalid') throw new Error(parsed.faults.map(({ message }) => message).join())
  const index = new CaseIndex()
  const outcome = execute(index, parsed.commands('digest'), {
    now: '2020-01-01T00:00:00.000Z',
    by: 'user',
    newUid: () => 'uid',
    prefixOf: (type) => CASE_TYPES[type].prefix,
  })
  if (outcome.kind === 'refused') throw new Error(outcome.message)
  return Object.fromEntries([...index.all()].map((found) => [String(found.metadata.key ?? 'need'), found]))
}

describe('A plan file is refused', () => {
  it.each([
    ['{"need": ', /^file: it is no JSON/],
    [[], /^file: .*object/],
    [plan([]), /^operations: a plan has at least one operation/],
    [{ operations: [operation('a', [])] }, /^need: /],
    [plan([operation('a', [])], { need: '  ' }), /^need: say what it is about/],
    [plan([operation('a', [])], { spec: ' \n' }), /^spec: /],
    [plan([operation('a', [task('b'), task('b')])]), /^operations\[0\].tasks\[1\].key: the key b is already/],
    [plan([operation('a', [task('a')])]), /^operations\[0\].tasks\[0\].key: the key a is already/],
    [
      plan([operation('a', [task('b', { dependsOn: ['x'] })])]),
      /dependsOn\[0\]: no operation or task .* key x/,
    ],
    [plan([operation('a', [task('b', { dependsOn: ['b'] })])]), /dependsOn\[0\]: b cannot wait for itself/],
    [plan([operation('a', [task('b', { dependsOn: ['a'] })])]), /circular: b → a → b/],
    [
      plan([operation('a', [task('b', { dependsOn: ['c'] }), task('c', { dependsOn: ['b'] })])]),
      /tasks\[1\].dependsOn\[0\]: circular: c → b → c/,
    ],
    [
      plan([
        operation('a', [task('t')], { dependsOn: ['b'] }),
        operation('b', [task('u', { dependsOn: ['t'] })]),
      ]),
      /circular: .*t.*/,
    ],
    [plan([operation('a', [task('b', { tags: ['no tag'] })])]), /tasks\[0\]: "no tag" cannot be a tag/],
    [
      plan([operation('a', [task('b', { content: 'x'.repeat(70_000) })])]),
      /tasks\[0\]: the content has 70000/,
    ],
    [plan([operation('a', [task('b', { files: 'src/x.ts' })])]), /tasks\[0\].files: /],
  ])('%#', (file, fault) => {
    const faults = faultsOf(file)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })

  it('with every fault at once: form, keys, references and circles', () => {
    const faults = faultsOf({
      operations: [
        operation('a', [
          task('b', { dependsOn: ['c', 'gone'] }),
          task('c', { dependsOn: ['b'] }),
          { key: 'b' },
        ]),
        { key: '', content: 7, tasks: 'none' },
      ],
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'need',
      'operations[0].tasks[2].content',
      'operations[1].key',
      'operations[1].content',
      'operations[1].tasks',
      'operations[0].tasks[2].key',
      'operations[0].tasks[0].dependsOn[1]',
      'operations[0].tasks[1].dependsOn[0]',
    ])
  })
})

describe('A plan becomes cases', () => {
  it('with what the file says, forward references included, in the order of the file', () => {
    const cases = casesOf(
      plan([
        operation('op-a', [
          task('t1', { dependsOn: ['t2'], tags: ['db'], files: ['src/x.ts'], verify: ['npm test'] }),
          task('t2'),
        ]),
        operation('op-b', [task('t3', { dependsOn: ['op-a'] })], { acceptanceCriteria: ['it shows 2'] }),
      ]),
    )
    expect(Object.values(cases).map(({ id }) => id)).toEqual([
      'dir-001',
      'op-001',
      'task-001',
      'task-002',
      'op-002',
      'task-003',
    ])
    expect(cases.need).toMatchObject({
      content: NEED,
      metadata: { jtbd: NEED, specFile: 'specs/dir-001.md', specDigest: 'digest' },
    })
    expect(cases.t1).toMatchObject({
      parentId: 'op-001',
      dependsOn: ['task-002'],
      tags: ['db'],
      metadata: { acceptanceCriteria: ['t1 returns 1'], fileHints: ['src/x.ts'], verify: ['npm test'] },
    })
    expect(cases['op-b']?.metadata).toEqual({ key: 'op-b', acceptanceCriteria: ['it shows 2'] })
    expect(cases.t3?.dependsOn).toEqual(['op-001'])
  })

  it('whose regions are the exact words, whatever the line ends, inherited up and down', () => {
    const spec = '# Blog\n\nReaders see\nposts. Writers write posts.\n'
    const cases = casesOf(
      plan(
        [
          operation('up', [
            task('t1', { covers: ['Readers see posts'] }),
            task('t2', { covers: ['Writers'] }),
          ]),
          operation('down', [task('t3')], { covers: ['Writers write posts.'] }),
        ],
        { spec },
      ),
    )
    const words = (key: string) => {
      const { specFile, start, end } = cases[key]?.specRef ?? { specFile: '', start: 0, end: 0 }
      return [specFile, spec.slice(start, end)]
    }
    expect(words('t1')).toEqual(['specs/dir-001.md', 'Readers see\nposts'])
    expect(words('up')).toEqual(words('t1'))
    expect(cases.up?.metadata.moreRegions).toEqual(
      [cases.t2?.specRef].map((ref) => ({ start: ref?.start, end: ref?.end })),
    )
    expect(words('t3')).toEqual(['specs/dir-001.md', 'Writers write posts.'])
  })

  it('that cover the need when there is no spec', () => {
    const { a, b } = casesOf(plan([operation('a', [task('b')])]))
    for (const found of [a, b]) expect(found?.specRef).toMatchObject({ start: 0, end: NEED.length })
  })

  it('whatever the keys are called', () => {
    const cases = casesOf(
      plan([operation('directive', [task('__proto__x'), task('$directive'), task('{a}')])]),
    )
    expect(Object.keys(cases)).toEqual(['need', 'directive', '__proto__x', '$directive', '{a}'])
  })
})

describe('A plan is taken with a warning', () => {
  const good = task('good')
  it.each([
    ['nothing', [good], []],
    [
      'an unknown field',
      [{ ...good, dependOn: [] }],
      ['operations[0].tasks[0].dependOn: unknown field, not used'],
    ],
    ['no tasks', [], ['operations[0]: it has no tasks: nothing will be done']],
    ['no criterion', [task('b', { acceptanceCriteria: [] })], [/no acceptance criterion says/]],
    ['no testable one', [task('b', { acceptanceCriteria: ['It works well'] })], [/can be tested/]],
    [
      'the same twice',
      [good, task('b', { content: 'make GOOD.' })],
      [/tasks\[1\]: it says the same as .*tasks\[0\]/],
    ],
    ['many files', [task('b', { files: Array.from({ length: 11 }, String) })], [/it names 11 files/]],
    [
      'many criteria',
      [task('b', { acceptanceCriteria: Array.from({ length: 9 }, String) })],
      [/it has 9 criteria/],
    ],
    ['a long text', [task('b', { content: 'x'.repeat(2_001) })], [/2001 characters/]],
    ['a reference twice', [good, task('b', { dependsOn: ['good', 'good'] })], [/good is named twice/]],
    [
      'words that are not there',
      [task('b', { covers: ['a shop'] })],
      [/"a shop" does not stand in the spec/],
    ],
    [
      'words that are there twice',
      [task('b', { covers: ['I'] })],
      [/stands in the spec 3 times; the first is meant/],
    ],
  ])('for %s', (_what, tasks, expected) => {
    const warnings = warningsOf(plan([operation('a', tasks)]))
    expect(warnings).toEqual(
      expected.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))),
    )
  })

  it('when nothing covers the spec', () => {
    expect(warningsOf(plan([operation('a', [good])], { spec: 'A blog.' }))).toEqual([
      'spec: nothing in this plan covers any of it',
    ])
  })
})

describe('an expert of a plan', () => {
  it.each([
    [
      [
        { name: 'a', knows: 'x' },
        { name: 'a', knows: 'y' },
      ],
      'experts[1].name',
    ],
    [[{ name: 'a', knows: 'x', tasks: ['nobody'] }], 'experts[0].tasks[0]'],
    [[{ name: '../a', knows: 'x' }], 'experts[0].name'],
  ])('is refused where it cannot be asked: %j', (experts, place) => {
    const plan = { need: 'n', operations: [{ key: 'o', content: 'c' }], experts }
    const parsed = parsePlan(JSON.stringify(plan))
    expect(parsed.kind === 'invalid' && parsed.faults.map((fault) => fault.place)).toEqual([place])
  })
})
