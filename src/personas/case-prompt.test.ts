import { describe, expect, it } from 'vitest'
import type { Case, CaseType } from '../cases/case.ts'
import { AXIOM } from '../vocabulary/axiom.ts'
import { SWARM } from '../vocabulary/swarm.ts'
import { assignmentOf, checksOf, discoveriesFor, iterationOf, type Surroundings } from './case-prompt.ts'

function aCase(id: string, type: CaseType, changes: Partial<Case> = {}): Case {
  const at = '2026-05-04T08:00:00.000Z'
  return {
    id,
    type,
    status: 'pending',
    content: `content of ${id}`,
    parentId: null,
    createdAt: at,
    updatedAt: at,
    metadata: {},
    rev: 1,
    uid: id,
    ...changes,
  }
}

const DIRECTIVE = aCase('dir-001', 'directive', { metadata: { jtbd: 'When …, I want …' } })
const ALONE: Surroundings = { ancestors: [], dependencies: [], checks: [] }

describe('an assignment made of cases', () => {
  it('says what the task, its lineage and its dependencies say', () => {
    const metadata = { acceptanceCriteria: ['it holds'], fileHints: ['src/a.ts'], verify: ['make check'] }
    const assignment = assignmentOf(aCase('task-002', 'task', { metadata }), {
      ancestors: [aCase('op-001', 'operation'), DIRECTIVE],
      dependencies: [
        aCase('task-001', 'task', {
          status: 'done',
          metadata: { execution: { finalCommit: '9c1e07a' }, fileHints: ['src/b.ts'] },
        }),
        aCase('task-003', 'task', { status: 'active' }),
      ],
      author: 'axel-001',
      checks: [{ name: 'test', command: 'npm test', required: true }],
    })
    expect(assignment).toEqual({
      id: 'task-002',
      content: 'content of task-002',
      author: 'axel-001',
      criteria: ['it holds'],
      operation: { id: 'op-001', content: 'content of op-001' },
      need: { id: 'dir-001', content: 'When …, I want …' },
      files: ['src/a.ts'],
      dependencies: [
        {
          id: 'task-001',
          content: 'content of task-001',
          landed: { commit: '9c1e07a', files: ['src/b.ts'] },
        },
        { id: 'task-003', content: 'content of task-003' },
      ],
      checks: [
        { name: 'test', command: 'npm test', required: true },
        { name: 'own check', command: 'make check', required: true },
      ],
    })
  })

  it('has a need and no task when the case is the need itself', () => {
    const assignment = assignmentOf(DIRECTIVE, ALONE)
    expect(assignment.content).toBeUndefined()
    expect(assignment.need?.content).toBe('When …, I want …')
  })
})

describe('the checks of a project', () => {
  it('are named once for each environment', () => {
    const check = { name: 'test', command: 'npm test', timeout: 300, required: true }
    const environments = { old: { NODE: '20' }, new: { NODE: '22' } }
    expect(checksOf([{ ...check, environments: {} }])).toEqual([
      { name: 'test', command: 'npm test', required: true },
    ])
    expect(checksOf([{ ...check, environments }]).map(({ environment }) => environment)).toEqual([
      'old',
      'new',
    ])
  })
})

describe('the discoveries of a prompt', () => {
  const found = (id: string, scope: string, sourceAgentId: string, status: Case['status'] = 'active') =>
    aCase(id, 'discovery', { status, metadata: { scope, sourceAgentId } })
  const all = [
    found('disc-1000', 'global', 'rex-001'),
    found('disc-999', 'local', 'echo-001'),
    found('disc-003', 'local', 'rex-001'),
    found('disc-004', 'global', 'rex-001', 'outdated'),
    found('disc-005', 'local', 'ed-001'),
  ]
  const ids = (vocabulary: typeof AXIOM) => discoveriesFor(vocabulary, 'echo', all).map(({ id }) => id)

  it('are the global ones and those of the same persona, active, in the order of their numbers', () => {
    expect(ids(AXIOM)).toEqual(['disc-999', 'disc-1000'])
    expect(ids(SWARM)).toEqual(['disc-005', 'disc-1000'])
  })
})

describe('what is new in an iteration', () => {
  it('is nothing at first', () => {
    expect(iterationOf(aCase('task-001', 'task'), [])).toEqual({ number: 1 })
  })

  it('is the answer to this task’s question, and how the last attempt ended', () => {
    const metadata = { execution: { iterations: 3, retryCount: 1, lastError: 'killed by signal 9' } }
    const question = (waitingTask: string, decision: string | null) =>
      aCase('pend-001', 'pending', { metadata: { waitingTask, question: 'Days or hours?', decision } })
    const iteration = iterationOf(aCase('task-001', 'task', { metadata }), [
      question('task-001', 'days'),
      question('task-001', null),
      question('task-009', 'hours'),
    ])
    expect(iteration.number).toBe(4)
    expect(iteration.answers).toEqual([{ question: 'Days or hours?', answer: 'days', by: 'the person' }])
    expect(iteration.recovery?.log?.text).toBe('killed by signal 9')
  })
})
