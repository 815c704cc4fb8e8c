import type { CaseId, Instant } from '../cases/case.ts'
import type { HealthAction } from './health-action.ts'
import type { AgentFacts, HealthMemory, Silence } from './health-facts.ts'

/**
 * Checks in a row without a sign before a checkpoint is asked; enough for the slowest test run or reasoning.
 */
export const SILENT_LOOKS_MAX = 10
/** An agent that dies more often than this within the period is not replaced any more. */
export const RESPAWNS_MAX = 3
/** Checks within which an agent has to answer a request for a checkpoint. */
const ANSWER_LOOKS = 2
const RESPAWN_STRETCH_MS = 10 * 60_000

export interface AgentDecision extends Pick<HealthMemory, 'silent' | 'respawns'> {
  readonly actions: readonly HealthAction[]
}

/** Which agents are asked for a sign, replaced, or given up. */
export function decideAgents(
  agents: readonly AgentFacts[],
  before: HealthMemory,
  now: Instant,
): AgentDecision {
  const actions: HealthAction[] = []
  const silent: Record<string, Silence> = {}
  const respawns: Record<CaseId, readonly Instant[]> = {}
  for (const [task, times] of Object.entries(before.respawns)) {
    const recent = times.filter((at) => isRecent(at, now))
    if (recent.length > 0) respawns[task] = recent
  }
  for (const facts of agents) {
    if (!facts.isAlive && before.silent[facts.agent]?.wasDead) {
      const times = respawns[facts.task] ?? []
      actions.push(...replace(facts, times.length))
      respawns[facts.task] = [...times, now].slice(-RESPAWNS_MAX)
      continue
    }
    const looks = looksWithoutSign(facts, before)
    silent[facts.agent] = { signMs: facts.lastSignMs, looks, wasDead: !facts.isAlive }
    const wasAsked = (before.silent[facts.agent]?.looks ?? 0) >= SILENT_LOOKS_MAX
    if (wasAsked && looks === 0) actions.push({ kind: 'take-sign', agent: facts.agent, task: facts.task })
    if (looks === SILENT_LOOKS_MAX) actions.push(...askForSign(facts))
    if (looks === SILENT_LOOKS_MAX + ANSWER_LOOKS) actions.push(timeOut(facts))
  }
  return { actions, silent, respawns }
}

function looksWithoutSign({ agent, lastSignMs, owesSigns }: AgentFacts, { silent }: HealthMemory): number {
  const last = silent[agent]
  if (!owesSigns || last === undefined || last.signMs !== lastSignMs) return 0
  return last.looks + 1
}

/** Within the period before now; an instant in the future, after the clock was set back, counts as well. */
function isRecent(at: Instant, now: Instant): boolean {
  return Math.abs(Date.parse(now) - Date.parse(at)) < RESPAWN_STRETCH_MS
}

function askForSign({ agent, task }: AgentFacts): HealthAction[] {
  const message = `${agent} has given no sign at ${task} for ${SILENT_LOOKS_MAX} minutes; it is asked for a checkpoint`
  return [
    { kind: 'alert', alert: { code: 'AGENT_STALLED', severity: 'medium', message, agent } },
    { kind: 'ask-checkpoint', agent, task },
  ]
}

function timeOut({ agent, task }: AgentFacts): HealthAction {
  const reason = `${agent} gave no sign for ${SILENT_LOOKS_MAX + ANSWER_LOOKS} minutes, and no answer when it was asked`
  return { kind: 'time-out', agent, task, reason }
}

function replace({ agent, task }: AgentFacts, deaths: number): HealthAction[] {
  if (deaths < RESPAWNS_MAX) {
    const message = `${agent} died at ${task}; another agent goes on with its work`
    return [
      { kind: 'alert', alert: { code: 'AGENT_DEAD', severity: 'medium', message, agent } },
      { kind: 'respawn', agent, task },
    ]
  }
  const message = `agents die again and again at ${task}; it waits for a person`
  return [
    { kind: 'alert', alert: { code: 'AGENT_RESPAWNS_SPENT', severity: 'high', message, agent } },
    { kind: 'give-up', agent, task },
  ]
}
