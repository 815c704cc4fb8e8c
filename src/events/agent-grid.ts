import type { Case, CaseId, Instant, Lease, Stage } from '../cases/case.ts'
import { compareIds } from '../cases/ids.ts'
import { titleOf } from './board.ts'
import { isOver, type LiveRow } from './live-row.ts'

/** One agent at work, or with a claim on work that waits for another agent or a person. */
export interface AgentCard {
  readonly agent: string
  /** The persona or kind of agent that its name begins with: `echo`, `critic`. */
  readonly kind: string
  readonly task: CaseId
  readonly title: string
  readonly stage: Stage | null
  /** What it does now; `holding` when it keeps its claim while others work on the task. */
  readonly state: string
  readonly iteration: number
  readonly elapsedMs: number
  readonly progress?: number
  readonly activity?: string
  readonly waiting?: { readonly reason: string; readonly untilMs: number }
  readonly warning?: string
  readonly leaseExpiresAt?: Instant
}

/** The agents at work: leases give the holder of each task, live rows the current activity. */
export function foldAgents(cases: Iterable<Case>, live: readonly LiveRow[]): AgentCard[] {
  const byAgent = new Map(live.map((row) => [row.agent, row]))
  const titles = new Map<CaseId, string>()
  const cards: AgentCard[] = []
  const seen = new Set<string>()
  for (const subject of cases) {
    if (subject.deletedAt !== undefined) continue
    if (subject.type === 'task') titles.set(subject.id, titleOf(subject))
    for (const [stage, lease] of Object.entries(subject.leases ?? {})) {
      const row = byAgent.get(lease.holder)
      seen.add(lease.holder)
      cards.push(heldCard(subject, stage as Stage, lease, row?.task === subject.id ? row : undefined))
    }
  }
  for (const row of live) {
    if (!seen.has(row.agent) && !isOver(row)) cards.push(liveCard(row, titles.get(row.task) ?? '', null))
  }
  return cards.sort((a, b) => compareIds(a.agent, b.agent))
}

function heldCard(
  subject: Case,
  stage: Stage,
  { holder, expiresAt }: Lease,
  row: LiveRow | undefined,
): AgentCard {
  const title = titleOf(subject)
  if (row && !isOver(row)) return { ...liveCard(row, title, stage), leaseExpiresAt: expiresAt }
  return {
    agent: holder,
    kind: kindOf(holder),
    task: subject.id,
    title,
    stage,
    state: 'holding',
    iteration: row?.iteration ?? 0,
    elapsedMs: row?.elapsedMs ?? 0,
    leaseExpiresAt: expiresAt,
  }
}

function liveCard(row: LiveRow, title: string, stage: Stage | null): AgentCard {
  const { agent, task, state, iteration, elapsedMs, progress, activity, waiting, warning } = row
  return {
    agent,
    kind: kindOf(agent),
    task,
    title,
    stage,
    state,
    iteration,
    elapsedMs,
    ...(progress === undefined ? {} : { progress }),
    ...(activity === undefined ? {} : { activity }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(warning === undefined ? {} : { warning }),
  }
}

function kindOf(agent: string): string {
  return agent.replace(/-\d+$/, '')
}
