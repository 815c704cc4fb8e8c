import type { Case } from '../../../cases/case.ts'
import { discoveryMetadata, taskMetadata } from '../../../cases/metadata.ts'
import { titleOf } from '../../../events/board.ts'
import { count, fields } from '../../../events/task-standing.ts'
import { lastLanding } from '../../../integration/landing-record.ts'
import type { Agent } from '../../../personas/roles.ts'

/** One line of the story, and the agent that tells it. */
export interface StoryLine {
  readonly who: Agent
  readonly text: string
  readonly task: string | null
  readonly mood: 'plain' | 'good' | 'bad'
}

/** The story lines for a change of one case; most changes have none. */
export function tellStory(before: Case | undefined, after: Case): StoryLine[] {
  switch (after.type) {
    case 'task':
      return [...tellDelivery(before, after), ...tellChecks(before, after), ...tellConflict(before, after)]
    case 'discovery':
      return before === undefined ? [tellDiscovery(after)] : []
    case 'pending':
      return tellQuestion(before, after)
    default:
      return []
  }
}

function line(who: Agent, text: string, task: string | null, mood: StoryLine['mood'] = 'plain'): StoryLine {
  return { who, text, task, mood }
}

function stateOf(task: Case | undefined): string {
  const { state } = fields(task?.metadata.delivery)
  return typeof state === 'string' ? state : 'queued'
}

function tellDelivery(before: Case | undefined, after: Case): StoryLine[] {
  const [from, to] = [stateOf(before), stateOf(after)]
  const { id } = after
  if (before === undefined || from === to) return []
  const developer = after.leases?.develop?.holder ?? 'a developer'
  switch (to) {
    case 'specifying':
      return [line('axel', `${id} says too little to be tested; the analyst writes out what it means.`, id)]
    case 'developing':
      return from === 'queued'
        ? [line('echo', `${developer} takes ${id}: ${titleOf(after)}.`, id)]
        : [line(senderOf(from), `${id} goes back to ${developer}: ${complaintIn(after)}`, id, 'bad')]
    case 'critique':
      return [line('critic', `${id} is proven in a fresh checkout; a critic reads it.`, id)]
    case 'audit':
      return [line('auditor', `${id} passed its review; an auditor holds it against each criterion.`, id)]
    case 'integrating':
      return [line('dex', `${id} is confirmed and waits to land.`, id)]
    case 'landed':
      return [line('dex', `${id} has landed: ${titleOf(after)}.`, id, 'good')]
    case 'failed':
    case 'timed-out':
      return [line('dex', `${id} ${to}: ${titleOf(after)}.`, id, 'bad')]
    case 'queued':
      return from === 'specifying' ? [line('axel', `${id} has criteria now, and is ready.`, id, 'good')] : []
    default:
      return []
  }
}

function senderOf(from: string): Agent {
  if (from === 'critique') return 'critic'
  if (from === 'audit' || from === 'confirming') return 'auditor'
  return 'dex'
}

/** The findings hold the reason of the last refusal; the case itself only names the agent that refused. */
function complaintIn({ metadata }: Case): string {
  const { verdicts } = fields(metadata.delivery)
  const { signal, agent } = fields(Array.isArray(verdicts) ? verdicts.at(-1) : undefined)
  return `${String(signal ?? 'sent back')} by ${String(agent ?? 'a reviewer')}.`
}

function tellChecks(before: Case | undefined, after: Case): StoryLine[] {
  const now = taskMetadata(after.metadata).execution
  const then = before && taskMetadata(before.metadata).execution
  const number = now?.iterations ?? 0
  if (number <= (then?.iterations ?? 0) || now?.verificationPassed !== false) return []
  const { id } = after
  const developer = after.leases?.develop?.holder ?? 'its developer'
  const tests =
    now.testsTotal === undefined ? '' : ` (${now.testsPassed ?? 0} of ${now.testsTotal} tests pass)`
  return [
    line(
      'echo',
      `${id} claimed to be done, and its check is red${tests}; ${developer} gets the output.`,
      id,
      'bad',
    ),
  ]
}

function tellConflict(before: Case | undefined, after: Case): StoryLine[] {
  const { id } = after
  const now = lastLanding(after)
  const then = before && lastLanding(before)
  if (now?.conflict && !then?.conflict) {
    const files = now.conflict.files.join(', ')
    return [line('rex', `${id} conflicts with what has landed meanwhile, in ${files}.`, id, 'bad')]
  }
  if (now?.resolution && !then?.resolution)
    return [line('rex', `${now.resolution.by} kept what both sides wanted in ${id}.`, id, 'good')]
  return []
}

function tellDiscovery({ id, content, metadata }: Case): StoryLine {
  const { sourceTaskId = null } = discoveryMetadata(metadata)
  return line('cleo', `${id}, learnt at ${sourceTaskId ?? 'work'}: ${content}`, sourceTaskId)
}

function tellQuestion(before: Case | undefined, after: Case): StoryLine[] {
  const task = typeof after.metadata.waitingTask === 'string' ? after.metadata.waitingTask : null
  if (before === undefined) return [line('dex', `${task ?? after.id} asks: ${titleOf(after)}`, task)]
  const { decision } = after.metadata
  if (typeof decision !== 'string' || before.metadata.decision === decision) return []
  return [
    line('dex', `Nobody is asked in a demo; the default answers ${after.id}: ${decision}.`, task, 'good'),
  ]
}

/** The figures of the last line. */
export interface DemoFigures {
  readonly landed: number
  readonly failed: number
  readonly rework: number
  readonly conflictsResolved: number
  readonly discoveries: number
  readonly questions: number
}

export function countDemo(cases: readonly Case[]): DemoFigures {
  const tasks = cases.filter(({ type }) => type === 'task')
  const isLanded = ({ status }: Case) => status === 'done'
  return {
    landed: tasks.filter(isLanded).length,
    failed: tasks.filter((task) => !isLanded(task)).length,
    rework: tasks.reduce((sum, task) => sum + reworkOf(task), 0),
    conflictsResolved: tasks.filter((task) => (lastLanding(task)?.resolution ?? null) !== null).length,
    discoveries: cases.filter(({ type }) => type === 'discovery').length,
    questions: cases.filter(({ type, metadata }) => type === 'pending' && metadata.waitingTask !== undefined)
      .length,
  }
}

/** How often a reviewer, an auditor or landing sent the task back. */
function reworkOf({ metadata }: Case): number {
  const { review, audit, landing } = fields(fields(metadata.delivery).rounds)
  return count(review) + count(audit) + count(landing)
}
