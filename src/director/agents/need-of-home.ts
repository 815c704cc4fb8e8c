import { type Case, type CaseId, isDone, isLive } from '../../cases/case.ts'
import { parseId } from '../../cases/ids.ts'
import type { Effect } from '../effect.ts'
import type { Snapshot } from '../snapshot.ts'
import type { AgentHome, HomeNeed } from './agent-home.ts'

const OVER = { kind: 'over' } as const
const NEEDED = { kind: 'needed' } as const

export function needOfHome(
  { view, atWork }: Pick<Snapshot, 'view' | 'atWork'>,
  { agent, tasks }: Pick<AgentHome, 'agent' | 'tasks'>,
): HomeNeed {
  for (const { effect } of atWork.values()) if (isFor(effect, agent, tasks)) return NEEDED
  for (const { task } of view.unsettled()) if (isHeldBy(task, agent)) return NEEDED
  const needs = tasks.map((id) => needOfTask(view.get(id)))
  if (needs.some(({ kind }) => kind === 'needed')) return NEEDED
  const ends = needs.flatMap((need) => (need.kind === 'failed' ? [need.endedAtMs] : []))
  return ends.length === 0 ? OVER : { kind: 'failed', endedAtMs: Math.max(...ends) }
}

function isFor(effect: Effect, agent: string, tasks: readonly string[]): boolean {
  if ('held' in effect && effect.held?.agent === agent) return true
  if ('agent' in effect && effect.agent === agent) return true
  return 'task' in effect && tasks.includes(effect.task)
}

function isHeldBy({ leases }: Case, agent: string): boolean {
  return Object.values(leases ?? {}).some(({ holder }) => holder === agent)
}

/**
 * A landed or deleted task is final, and a task that is not among the cases was deleted. Any other may
 * continue.
 */
export function isOver(task: Case | undefined): boolean {
  return !isLive(task) || isDone(task)
}

/** Whether a workspace belongs to a deleted task. Some workspaces belong to no task: a merge, a repair. */
export function isDeletedTask(view: Pick<Snapshot['view'], 'get'>, name: CaseId): boolean {
  return parseId(name) !== undefined && !isLive(view.get(name))
}

function needOfTask(task: Case | undefined): HomeNeed {
  if (isOver(task) || task === undefined) return OVER
  const hasFailed = task.status === 'failed' || task.status === 'timeout'
  return hasFailed ? { kind: 'failed', endedAtMs: Date.parse(task.updatedAt) } : NEEDED
}
