import { agentFolder } from '../../personas/roles.ts'
import type { RunEnd, RunResult } from '../../runs/run-end.ts'
import { applyWord, type WordAnswer } from '../apply-word.ts'
import type { DevelopResult } from '../hands.ts'
import type { Means } from '../means.ts'
import { runMetadata } from '../run-metadata.ts'
import { wordOfEnd } from '../word-of-end.ts'
import type { Claimed } from './claim-task.ts'

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
  /** What delivery made of it; nothing where there was nothing to say. */
  readonly answer: WordAnswer | undefined
}

/** One commit: what a developer's run brought and what it means. Then its figures. */
export async function reportRun(
  reporting: Reporting,
  { agent, claimed, developed }: RunReport,
): Promise<Reported> {
  const { store, words, clock } = reporting
  const { task, fence } = claimed
  const { result } = developed
  const occurrence = wordOfEnd(result.end, { task: task.id, agent, fence, run: `run-${task.rev}` })
  const metadata = runMetadata(task, developed, clock.now())
  const answer = occurrence && (await applyWord(store, words, { about: task.id, occurrence, metadata }))
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
