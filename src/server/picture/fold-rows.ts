import type { Case } from '../../cases/case.ts'
import { type AgentCard, foldAgents } from '../../events/agent-grid.ts'
import { foldInbox } from '../../events/inbox.ts'
import { foldQueue } from '../../events/landing-queue.ts'
import type { LiveRow } from '../../events/live-row.ts'
import { fields } from '../../events/task-standing.ts'
import type { AgentIndicator, AgentRow, InboxRow, QueueRow } from '../contract.ts'

const INDICATORS: Readonly<Record<string, AgentIndicator>> = {
  idle: 'idle',
  preparing: 'running',
  iteration: 'running',
  verification: 'running',
  waiting: 'waiting',
  holding: 'waiting',
  blocked: 'waiting',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  'timed-out': 'failed',
  stopped: 'idle',
}

/** Who is at work. How far each is this second goes its own, lossy way. */
export function agentRows(open: readonly Case[], live: readonly LiveRow[]): AgentRow[] {
  const byId = new Map(open.map((subject) => [subject.id, subject]))
  return foldAgents(open, live).map((card) => agentRow(card, byId.get(card.task)))
}

function agentRow(
  { agent, kind, task, title, stage, state, iteration }: AgentCard,
  subject?: Case,
): AgentRow {
  const indicator = INDICATORS[state] ?? 'running'
  return { agent, kind, task, title, stage, state, indicator, iteration, orders: ordersFor(agent, subject) }
}

function ordersFor(agent: string, subject: Case | undefined): string[] {
  const orders = subject?.metadata.orders
  if (!Array.isArray(orders)) return []
  return orders.flatMap((entry: unknown) => {
    const { kind, agent: to } = fields(entry)
    return typeof kind === 'string' && (to === undefined || to === agent) ? [kind] : []
  })
}

const SETTLED_BY: Readonly<Record<InboxRow['kind'], InboxRow['settledBy']>> = {
  question: ['answer'],
  review: ['review'],
  escalation: ['retry', 'answer'],
  repair: ['retry', 'override', 'halt'],
}

export function inboxRows(open: readonly Case[]): InboxRow[] {
  return foldInbox(open).map((entry) => ({ ...entry, settledBy: SETTLED_BY[entry.kind] }))
}

export function queueRows(open: readonly Case[]): QueueRow[] {
  const byId = new Map(open.map((subject) => [subject.id, subject]))
  return foldQueue(open).map((entry, index) => {
    const subject = byId.get(entry.id)
    return {
      ...entry,
      position: index + 1,
      batch: null,
      commit: commitOf(subject),
      ...placeOf(byId, subject, entry.resolver),
    }
  })
}

function placeOf(
  byId: ReadonlyMap<string, Case>,
  subject: Case | undefined,
  resolver: string | null,
): Pick<QueueRow, 'state' | 'reason'> {
  if (resolver !== null) return { state: 'resolving', reason: `${resolver} resolves a conflict` }
  const { conflict } = fields(subject?.metadata.landing)
  const { level, files } = fields(conflict)
  if (typeof level !== 'string') return { state: 'waiting', reason: waitingFor(byId, subject) }
  const named = Array.isArray(files) ? files.slice(0, FILES_NAMED_MAX).join(', ') : ''
  return { state: 'conflict', reason: `${level} conflict in ${named}` }
}

const FILES_NAMED_MAX = 5

/** An entry lands after what it depends on. */
function waitingFor(byId: ReadonlyMap<string, Case>, subject: Case | undefined): string {
  const before = (subject?.dependsOn ?? []).filter((id) => byId.has(id))
  return before.length === 0 ? 'waits for its turn' : `waits for ${before.join(', ')}`
}

function commitOf(subject: Case | undefined): string | null {
  const { commit } = fields(subject?.metadata.delivery)
  return typeof commit === 'string' ? commit : null
}

/** Cases that anybody may still have to do something about; only these are folded anew with every change. */
export function isOpen({ type, status, deletedAt }: Case): boolean {
  return (
    deletedAt === undefined &&
    (type === 'task' || type === 'pending' || type === 'operation') &&
    status !== 'done'
  )
}

export function isFailed({ status }: Case): boolean {
  return status === 'failed' || status === 'timeout'
}
