import { describe, expect, it } from 'vitest'
import type { Case, CaseType, STAGES } from './case.ts'
import { CaseIndex } from './case-index.ts'
import { CASE_TYPES, CHILDREN, TRANSITIONS } from './case-types.ts'
import type { CaseCommand } from './command.ts'
import { execute } from './execute.ts'
import { compareIds, formatId, numberAfter, parseId } from './ids.ts'
import { movesFrom, STATUS_SYMBOLS, statusesOf } from './statuses.ts'

const TYPES = Object.keys(CASE_TYPES) as CaseType[]

describe('the tables', () => {
  it('show each type with its symbol, colour and prefix', () => {
    expect(TYPES.map((type) => `${type} ${Object.values(CASE_TYPES[type]).join(' ')}`)).toEqual([
      'directive dir ■ black',
      'draft draft □ gray',
      'research res ◆ orange',
      'pending pend ◇ purple',
      'deferred def ▣ red',
      'operation op ▢ blue',
      'task task ▤ green',
      'discovery disc ● yellow',
    ])
  })

  it('allow the changes of type, and no other', () => {
    expect(TRANSITIONS).toEqual({
      directive: [],
      draft: ['research', 'pending', 'operation', 'deferred'],
      research: ['draft', 'operation', 'deferred'],
      pending: ['draft', 'operation', 'deferred'],
      operation: ['draft', 'deferred'],
      task: ['deferred'],
      deferred: ['draft'],
      discovery: [],
    })
  })

  it('allow the children, and no other', () => {
    const planning = ['draft', 'research', 'pending', 'operation', 'deferred']
    expect(CHILDREN.directive).toEqual(planning)
    expect(CHILDREN.draft).toEqual(planning)
    expect(CHILDREN.operation).toEqual(['task', 'research', 'pending'])
    expect(CHILDREN.research).toEqual(['draft'])
    expect(CHILDREN.task).toEqual(['discovery'])
  })

  it('have a symbol for every status and a move out of every status that is not final', () => {
    for (const type of TYPES) {
      for (const status of statusesOf(type)) {
        expect(STATUS_SYMBOLS[status]).toHaveLength(1)
        if (status !== 'done') expect(movesFrom(type, status).length, `${type} ${status}`).toBeGreaterThan(0)
      }
    }
  })
})

describe('ids', () => {
  it('have three digits at least and grow beyond 999', () => {
    expect([1, 42, 999, 1000].map((number) => formatId('task', number))).toEqual([
      'task-001',
      'task-042',
      'task-999',
      'task-1000',
    ])
    expect(parseId('task-1000')).toEqual({ prefix: 'task', number: 1000 })
    expect(parseId('task-1')).toBeUndefined()
    expect(['task-1000', 'task-1', 'tasks-001', 'op-001'].map((id) => numberAfter('task', id))).toEqual([
      1000,
      undefined,
      undefined,
      undefined,
    ])
    expect(['task-1000', 'task-999', 'op-002'].sort(compareIds)).toEqual(['op-002', 'task-999', 'task-1000'])
  })
})

/** A small world: an operation with two tasks, the second waiting for the first. */
function world(): {
  index: CaseIndex
  run: (...commands: CaseCommand[]) => string
  at: (now: number) => void
} {
  const index = new CaseIndex()
  let now = 0
  let uid = 0
  const run = (...commands: CaseCommand[]) => {
    const outcome = execute(index, commands, {
      now: new Date(now).toISOString(),
      by: 'user',
      newUid: () => `uid-${++uid}`,
      prefixOf: (type) => CASE_TYPES[type].prefix,
    })
    return outcome.kind === 'refused' ? `${outcome.code}: ${outcome.message}` : 'ok'
  }
  run(
    { kind: 'create', type: 'directive', content: 'need', as: 'd' },
    { kind: 'create', type: 'operation', content: 'operation', parentId: '$d', as: 'o' },
    { kind: 'create', type: 'task', content: 'first', parentId: '$o', as: 'a' },
    { kind: 'create', type: 'task', content: 'second', parentId: '$o', dependsOn: ['$a'] },
  )
  return { index, run, at: (time) => (now = time) }
}

const claim = (
  id: string,
  holder: string,
  ttlMs = 60_000,
  stage: (typeof STAGES)[number] = 'develop',
): CaseCommand => ({
  kind: 'claim',
  id,
  stage,
  holder,
  ttlMs,
})
const status = (index: CaseIndex, id: string): Case['status'] | undefined => index.get(id)?.status

describe('a claim', () => {
  it('makes the task and its operation active and gives out a fence', () => {
    const { index, run } = world()
    expect(run(claim('task-001', 'echo-001'))).toBe('ok')
    expect([status(index, 'task-001'), status(index, 'op-001'), index.get('task-001')?.fence]).toEqual([
      'active',
      'active',
      1,
    ])
  })

  it('is refused while someone holds the task, and names him', () => {
    const { run } = world()
    run(claim('task-001', 'echo-001'))
    expect(run(claim('task-001', 'echo-002'))).toMatch(/^AlreadyClaimed: task-001 is held by echo-001 until /)
  })

  it('takes over after the lease ran out, with a higher fence and one try more', () => {
    const { index, run, at } = world()
    run(claim('task-001', 'echo-001', 1_000))
    at(1_001)
    expect(run(claim('task-001', 'echo-002'))).toBe('ok')
    const subject = index.get('task-001')
    expect(subject?.leases?.develop).toMatchObject({ holder: 'echo-002', fence: 2 })
    expect(subject?.metadata.execution).toMatchObject({ retryCount: 1 })
    expect(run({ kind: 'move', id: 'task-001', status: 'review', reason: 'done', fence: 1 })).toMatch(
      /^StaleClaim/,
    )
    expect(run({ kind: 'move', id: 'task-001', status: 'review', reason: 'done', fence: 2 })).toBe('ok')
  })

  it.each([
    ['is still refused', 1_999, /^AlreadyClaimed/],
    ['takes over', 2_000, /^ok$/],
  ])('%s at %i, of a lease that ends at 2000', (_what, nowMs, answer) => {
    const { run, at } = world()
    at(1_000)
    run(claim('task-001', 'echo-001', 1_000))
    at(nowMs)
    expect(run(claim('task-001', 'echo-002'))).toMatch(answer)
  })

  it('counts a renewal', () => {
    const { index, run, at } = world()
    run(claim('task-001', 'echo-001', 1_000))
    index.renew('task-001', 'develop', 1, new Date(5_000).toISOString())
    at(4_000)
    expect(run(claim('task-001', 'echo-002'))).toMatch(/^AlreadyClaimed/)
  })

  it('is refused for a task that waits, and says for what', () => {
    const { run } = world()
    expect(run(claim('task-002', 'echo-001'))).toBe(
      'InvalidStatus: task-002 cannot be claimed: waits on task-001 (pending)',
    )
  })

  it('to review leaves the developer his own', () => {
    const { index, run } = world()
    run(claim('task-001', 'echo-001'))
    expect(run(claim('task-001', 'critic-001', 60_000, 'critique'))).toMatch(/^InvalidStatus/)
    run({ kind: 'move', id: 'task-001', status: 'review', reason: 'ready' })
    expect(run(claim('task-001', 'critic-001', 60_000, 'critique'))).toBe('ok')
    expect(Object.keys(index.get('task-001')?.leases ?? {})).toEqual(['develop', 'critique'])
    expect(status(index, 'task-001')).toBe('review')
  })
})

describe('completion', () => {
  it('frees what waited and ends the operation with its last task', () => {
    const { index, run } = world()
    expect([...index.ready()]).toEqual(['task-001'])
    run({ kind: 'complete', id: 'task-001' })
    expect([...index.ready()]).toEqual(['task-002'])
    run({ kind: 'complete', id: 'task-002' })
    expect(status(index, 'op-001')).toBe('done')
    expect(run({ kind: 'complete', id: 'task-002' })).toMatch(/^InvalidStatus: task-002 is done/)
    expect(run({ kind: 'create', type: 'task', content: 'late', parentId: 'op-001' })).toMatch(
      /^InvalidStatus/,
    )
  })

  it('is refused while a dependency is open, and names the chain', () => {
    const { run } = world()
    expect(run({ kind: 'complete', id: 'task-002' })).toBe(
      'InvalidStatus: task-002 cannot be done: open dependencies task-002 → task-001',
    )
    expect(run({ kind: 'complete', id: 'op-001' })).toMatch(/open tasks task-001, task-002$/)
  })

  it('counts a deferred task as no longer needed, but still holds who waits for it', () => {
    const { index, run } = world()
    run({ kind: 'transition', id: 'task-001', type: 'deferred', reason: 'later' })
    expect([...index.ready()]).toEqual([])
    expect(run(claim('task-002', 'echo-001'))).toMatch(/waits on task-001 \(deferred\)/)
    expect(run({ kind: 'transition', id: 'task-001', type: 'draft', reason: 'x' })).toMatch(
      /^InvalidTransition/,
    )
    expect(run({ kind: 'transition', id: 'task-001', type: 'task', reason: 'now' })).toBe('ok')
    expect([...index.ready()]).toEqual(['task-001'])
  })
})

describe('a question', () => {
  it('beside the tasks holds them all until it is answered', () => {
    const { index, run } = world()
    run({ kind: 'create', type: 'pending', content: 'which?', parentId: 'op-001' })
    expect([...index.ready()]).toEqual([])
    run({ kind: 'complete', id: 'pend-001' })
    expect([...index.ready()]).toEqual(['task-001'])
  })

  it('that became an operation below the tasks is held with the operation above it', () => {
    const { index, run } = world()
    run(
      { kind: 'create', type: 'research', content: 'how?', parentId: 'op-001' },
      { kind: 'create', type: 'draft', content: 'another matter', parentId: 'dir-001' },
    )
    run({ kind: 'transition', id: 'res-001', type: 'operation', reason: 'it is work' })
    run({ kind: 'create', type: 'task', content: 'the work', parentId: 'res-001' })
    expect([...index.ready()]).toEqual(['task-001', 'task-003'])
    run({ kind: 'depend', id: 'op-001', on: 'draft-001' })
    expect([...index.ready()]).toEqual([])
    run({ kind: 'undepend', id: 'op-001', on: 'draft-001' })
    expect([...index.ready()]).toEqual(['task-001', 'task-003'])
  })

  it('raised by a run holds nobody else', () => {
    const { index, run } = world()
    run({
      kind: 'create',
      type: 'pending',
      content: 'which?',
      parentId: 'op-001',
      metadata: { waitingTask: 'task-002' },
    })
    expect([...index.ready()]).toEqual(['task-001'])
  })
})

describe('a case that is held for damage', () => {
  it('is not changed, and lets nothing below it start', () => {
    const { index, run } = world()
    index.hold('op-001', 'line 3 is damaged')
    expect([...index.ready()]).toEqual([])
    expect(run(claim('task-001', 'echo-001'))).toMatch(
      /^InvalidStatus: task-001 cannot be claimed: operation op-001/,
    )
    expect(run({ kind: 'complete', id: 'task-001' })).toBe('ok')
    expect(run({ kind: 'complete', id: 'task-002' })).toBe('ok')
    expect(index.get('op-001')?.rev).toBe(1)
    expect(run({ kind: 'update', id: 'op-001', tags: ['x'] })).toMatch(
      /^InvalidStatus: op-001 is held: line 3/,
    )
  })
})

describe('a circle', () => {
  it('is refused with its whole path', () => {
    const { run } = world()
    expect(run({ kind: 'depend', id: 'task-001', on: 'task-001' })).toMatch(/^SELF_DEPENDENCY/)
    expect(run({ kind: 'depend', id: 'task-001', on: 'task-002' })).toBe(
      'CIRCULAR_DEPENDENCY: task-001 cannot wait for task-002: task-001 → task-002 → task-001',
    )
  })

  it('through the lineage is refused as well: it would never end', () => {
    const { run } = world()
    expect(run({ kind: 'depend', id: 'task-001', on: 'op-001' })).toMatch(/^CIRCULAR_DEPENDENCY/)
    run(
      {
        kind: 'create',
        type: 'operation',
        content: 'other',
        parentId: 'dir-001',
        dependsOn: ['op-001'],
        as: 'o',
      },
      { kind: 'create', type: 'task', content: 'there', parentId: '$o' },
    )
    expect(run({ kind: 'depend', id: 'task-001', on: 'task-003' })).toMatch(/^CIRCULAR_DEPENDENCY/)
  })

  it('that a change of type would close is refused: a question cannot wait for the operation that waits for it', () => {
    const { run } = world()
    run(
      { kind: 'create', type: 'draft', content: 'an idea', parentId: 'dir-001', as: 'd' },
      { kind: 'create', type: 'pending', content: 'a question', parentId: '$d', dependsOn: ['$d'] },
    )
    expect(run({ kind: 'transition', id: 'draft-001', type: 'operation', reason: 'clear now' })).toBe(
      'CIRCULAR_DEPENDENCY: draft-001 cannot become an operation: draft-001 → pend-001 → draft-001',
    )
    run({ kind: 'undepend', id: 'pend-001', on: 'draft-001' })
    expect(run({ kind: 'transition', id: 'draft-001', type: 'operation', reason: 'clear now' })).toBe('ok')
  })
})

describe('a batch', () => {
  it('changes nothing when one of its commands is refused, not even the next number', () => {
    const { index, run } = world()
    const before = [...index.all()]
    const refused = run(
      { kind: 'create', type: 'task', content: 'new', parentId: 'op-001', as: 'n' },
      claim('task-001', 'echo-001'),
      { kind: 'depend', id: '$n', on: 'task-404' },
    )
    expect(refused).toMatch(/^NotFound/)
    expect([...index.all()]).toEqual(before)
    expect([...index.ready()]).toEqual(['task-001'])
    expect(index.nextNumber('task')).toBe(3)
    expect(index.history('task-001')).toHaveLength(1)
  })

  it('is taken back whole when one of its commands is malformed', () => {
    const { index, run } = world()
    const malformed = { kind: 'create', type: 'task', content: 'x', parentId: 'op-001', dependsOn: 5 }
    const batch = [claim('task-001', 'echo-001'), malformed as unknown as CaseCommand]
    expect(() => run(...batch)).toThrow()
    expect([status(index, 'task-001'), index.nextNumber('task')]).toEqual(['pending', 3])
  })

  it('gives each case one revision, however often it is touched', () => {
    const { index, run } = world()
    run(
      claim('task-001', 'echo-001'),
      { kind: 'update', id: 'task-001', tags: ['x'] },
      { kind: 'complete', id: 'task-001' },
    )
    expect(index.get('task-001')?.rev).toBe(2)
    expect(index.history('task-001')).toHaveLength(4)
  })
})

describe('metadata', () => {
  it('must have the form of its type and stay small', () => {
    const { run } = world()
    expect(run({ kind: 'update', id: 'task-001', metadata: { acceptanceCriteria: 'one' } })).toMatch(
      /^InvalidValue: metadata.acceptanceCriteria/,
    )
    expect(run({ kind: 'update', id: 'task-001', metadata: { note: 'x'.repeat(9_000) } })).toMatch(
      /^InvalidValue: metadata takes/,
    )
    expect(run({ kind: 'create', type: 'discovery', content: 'x', parentId: 'task-001' })).toMatch(
      /^MissingRequired: a discovery needs its scope/,
    )
  })
})
