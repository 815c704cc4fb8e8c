import type { Case } from '../../cases/case.ts'
import { type AgentCard, foldAgents } from '../../events/agent-grid.ts'
import { foldInbox } from '../../events/inbox.ts'
import type { LiveRow } from '../../events/live-row.ts'
import { fields } from '../../events/task-standing.ts'
import type { AgentIndicator, AgentRow, InboxRow } from '../contract.ts'

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

/** The running agents. Their current progress is sent separately, as lossy live rows. */
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
  conflict: ['answer'],
  publish: ['answer'],
}

export function inboxRows(open: readonly Case[]): InboxRow[] {
  return foldInbox(open).map((entry) => ({ ...entry, settledBy: SETTLED_BY[entry.kind] }))
}

/** Cases that may still need work; only these are folded again on every change. */
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
