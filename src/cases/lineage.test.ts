import { describe, expect, it } from 'vitest'
import type { Case } from './case.ts'
import { activeDiscoveries, descendantsOf, discoveriesByScope, satisfactionOf } from './lineage.ts'

function make(id: string, type: Case['type'], rest: Partial<Case> = {}): Case {
  const at = `2026-01-01T00:00:00.00${id.at(-1)}Z`
  return {
    id,
    type,
    status: 'pending',
    content: id,
    parentId: null,
    createdAt: at,
    updatedAt: at,
    metadata: {},
    rev: 1,
    uid: id,
    ...rest,
  }
}

const need = make('dir-001', 'directive')
const draft = make('draft-001', 'draft', { parentId: 'dir-001' })
const open = make('op-001', 'operation', { parentId: 'draft-001' })
const done = make('op-002', 'operation', { parentId: 'dir-001', status: 'done' })

describe('the satisfaction of a directive', () => {
  it('goes on while an operation below it is open', () => {
    expect(satisfactionOf(need, [need, draft, open, done])).toBe('continue')
    expect(descendantsOf([need, draft, open, done], 'dir-001').map(({ id }) => id)).toEqual([
      'draft-001',
      'op-002',
      'op-001',
    ])
  })

  it('asks for more when all is done but nobody says that the need is met', () => {
    expect(satisfactionOf(need, [need, done])).toBe('needs_more_operations')
    expect(satisfactionOf(need, [need])).toBe('needs_more_operations')
  })

  it('is complete when the need is marked as met', () => {
    expect(satisfactionOf({ ...need, metadata: { satisfied: true } }, [done])).toBe('complete')
  })
})

describe('discoveries', () => {
  const learnt = [
    make('disc-001', 'discovery', {
      status: 'active',
      metadata: { scope: 'local', sourceAgentId: 'echo-001' },
    }),
    make('disc-002', 'discovery', {
      status: 'active',
      metadata: { scope: 'global', sourceAgentId: 'rex-001' },
    }),
    make('disc-003', 'discovery', {
      status: 'outdated',
      metadata: { scope: 'global', sourceAgentId: 'echo-001' },
    }),
    make('disc-004', 'discovery', {
      status: 'active',
      metadata: { scope: 'local', sourceAgentId: 'rex-001' },
    }),
  ]

  it('are told apart by scope, oldest first', () => {
    expect(discoveriesByScope(learnt, 'global').map(({ id }) => id)).toEqual(['disc-002', 'disc-003'])
  })

  it('reach everyone when global, and their own persona when local', () => {
    expect(activeDiscoveries(learnt, 'echo-047').map(({ id }) => id)).toEqual(['disc-002', 'disc-001'])
    expect(activeDiscoveries(learnt).map(({ id }) => id)).toEqual(['disc-002'])
  })
})
