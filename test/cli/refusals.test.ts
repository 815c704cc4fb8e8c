import { beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-code.ts'
import { Project, removeFolder } from './axiom.ts'
import { REFUSALS } from './refusal-table.ts'

/**
 * op-001 has task-001 ← task-002 ← task-003, task-004 (done), task-005 (claimed, fence 2, after an earlier claim),
 * op-002 has task-006; dir-001 has draft-001.
 */
let project: Project

const TASKS = ['A', 'B', 'C', 'D', 'E']

beforeAll(async () => {
  project = await Project.make(
    ['case', 'create', '--type', 'operation', '--content', 'Operation'],
    ...TASKS.map((content) => [
      'case',
      'create',
      '--type',
      'task',
      '--parent',
      'op-001',
      '--content',
      content,
    ]),
    ['case', 'create', '--type', 'operation', '--content', 'Another'],
    ['case', 'create', '--type', 'task', '--parent', 'op-002', '--content', 'F'],
    ['case', 'depend', 'task-002', 'task-001'],
    ['case', 'depend', 'task-003', 'task-002'],
    ['case', 'complete', 'task-004'],
    ['case', 'claim', 'task-005', '--agent', 'echo-001'],
    ['case', 'release', 'task-005', '--fence', '1'],
    ['case', 'claim', 'task-005', '--agent', 'echo-002', '--ttl', '1h'],
    ['case', 'create', '--type', 'directive', '--content', 'Need'],
    ['case', 'create', '--type', 'draft', '--parent', 'dir-001', '--content', 'Draft'],
  )
  const sound = (await project.ok('store', 'export', '-')).trimEnd().split('\n')
  project.file('torn.jsonl', [sound[0], '{"id":', sound[1], '{"id":"x"}', '[]'].join('\n'))
  project.file('changed.jsonl', sound[0]?.replace('Need', 'Greed') ?? '')
  project.file(
    'strangers.jsonl',
    [
      bareCase({ id: 'op-050', type: 'operation', uid: 'u1' }),
      bareCase({ id: 'task-050', type: 'task', uid: 'u2', parentId: 'op-999' }),
      bareCase({ id: 'op-001', type: 'operation', uid: 'another' }),
    ].join('\n'),
  )
  project.file('not-json.json', '[{"type":')
  project.file('bad-split.json', [
    { type: 'tusk', content: '' },
    { content: 'no type', colour: 'red' },
  ])
  project.file('unknown-key.json', [{ type: 'task', content: 'T', dependsOn: ['task-777'] }])
  project.file('wrong-child.json', [
    { type: 'task', content: 'fits' },
    { type: 'directive', content: 'not' },
  ])
  return removeFolder(project.folder)
})

function bareCase(fields: Record<string, unknown>): string {
  const time = '2026-01-01T00:00:00.000Z'
  const rest = { status: 'pending', content: 'C', parentId: null, createdAt: time, updatedAt: time, rev: 1 }
  return JSON.stringify({ ...rest, history: [], metadata: {}, ...fields })
}

describe('Bad input gets a code and what is allowed, and changes nothing:', () => {
  it.each(REFUSALS)('%s', async (_, argv, code, says, allows) => {
    const words = argv.split(' ').map((word) => (word === '_BLANK_' ? ' ' : word))
    const exit = code.startsWith('USAGE') ? EXIT.usage : EXIT.failed
    const before = project.journal()
    const ran = await project.run(...words, '--json')
    expect(ran).toMatchObject({ code: exit, stdout: '' })
    const { error } = JSON.parse(ran.stderr) as { error: Record<string, string> }
    expect(Object.keys(error)).toEqual(['code', 'message', 'hint'])
    expect(error.code).toBe(code)
    for (const text of says.split(' … ')) expect(error.message).toContain(text)
    for (const text of allows.split(' … ')) expect(error.hint).toContain(text)
    expect(project.journal()).toBe(before)
  })
})
