import { agentFolder } from '../../personas/roles.ts'
import { applyEvent, type EventAnswer } from '../../project/delivery/apply-event.ts'
import type { RunEnd, RunResult } from '../../runs/run-end.ts'
import type { Means } from '../context.ts'
import type { DevelopResult } from '../hands.ts'
import type { Claimed } from './claim-task.ts'
import { wordOfEnd } from './event-of-end.ts'
import { runMetadata } from './run-metadata.ts'

export type Reporting = Pick<Means, 'store' | 'words' | 'vocabulary' | 'record'> & {
  readonly clock: { now(): number }
}

export interface RunReport {
  readonly agent: string
  readonly claimed: Claimed
  readonly developed: DevelopResult
}

export interface Reported {
  readonly end: RunEnd
  /** The answer of delivery; undefined where there was no event. */
  readonly answer: EventAnswer | undefined
}

/** One commit for what a developer's run brought and the event that follows from it; then its figures. */
export async function reportRun(
  reporting: Reporting,
  { agent, claimed, developed }: RunReport,
): Promise<Reported> {
  const { store, words, clock } = reporting
  const { task, fence } = claimed
  const { result } = developed
  const occurrence = wordOfEnd(result.end, { task: task.id, agent, fence, run: `run-${task.rev}` })
  const metadata = runMetadata(task, developed, clock.now())
  const answer = occurrence && (await applyEvent(store, words, { about: task.id, occurrence, metadata }))
  const end: RunEnd = answer?.kind === 'fence-lost' ? { kind: 'fence-lost' } : result.end
  await recordRun(reporting, agent, task.id, { ...result, end })
  return { end, answer }
}

async function recordRun(
  reporting: Reporting,
  agent: string,
  task: string,
  result: RunResult,
): Promise<void> {
  const { tokens, costUsd } = result.spent
  await reporting.record({
    at: new Date(reporting.clock.now()).toISOString(),
    agent,
    persona: agentFolder(reporting.vocabulary, 'echo'),
    task,
    end: result.end.kind,
    iterations: result.iterations,
    durationMs: result.durationMs,
    tokens: { input: tokens.inputTokens, output: tokens.outputTokens },
    costUsd,
  })
}
