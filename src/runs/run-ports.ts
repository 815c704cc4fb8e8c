import type { LiveRow } from '../events/live-row.ts'
import type { Claim, ProofOutcome } from '../verification/prove-completion.ts'
import type { TaskProgress, TokenUse } from './task-progress.ts'

export type { LiveRow }

/** What an agent's stream tells the run; drivers tell more, and this is all of it that matters here. */
export type AgentNews =
  | { readonly type: 'speech'; readonly message: string; readonly text: string; readonly ends: boolean }
  | { readonly type: 'tool-call'; readonly tool: string; readonly input: unknown }
  | { readonly type: 'usage'; readonly usage: TokenUse }
  | { readonly type: 'cost'; readonly usd: number }
  | { readonly type: 'retry'; readonly delayMs: number; readonly reason: string }
  | { readonly type: 'rate-limit'; readonly resetAtMs: number | undefined; readonly reason: string }
  | { readonly type: 'activity'; readonly what: string }
  | { readonly type: 'started' | 'tool-result' | 'permission-denied' | 'problem' | 'unknown' }
  | AgentFarewell

export interface AgentFarewell {
  readonly type: 'end'
  readonly reason: 'completed' | 'failed' | 'rate-limited' | 'interrupted' | 'stopped' | 'crashed'
  readonly exitCode: number | undefined
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly retryable: boolean
  }
}

/** One agent process at work on one iteration. */
export interface AgentSession {
  readonly events: AsyncIterable<AgentNews>
  readonly ended: Promise<AgentFarewell>
  send(text: string): Promise<boolean>
  stop(): Promise<void>
}

export interface IterationOrder {
  readonly iteration: number
  readonly systemPrompt: string
  readonly prompt: string
}

/** Time as the run sees it. Waiting ends early, without an error, when the signal is given. */
export interface RunClock {
  now(): number
  sleepUntil(atMs: number, signal: AbortSignal): Promise<void>
  /** The same time from now on, whoever sets the clock; absent where nobody can. */
  steady?(): RunClock
}

/** What a run needs of the world. */
export interface RunPorts {
  startAgent(order: IterationOrder): Promise<AgentSession>
  /** Looks at the workspace: the commit that its HEAD names, brought to safety, and what lies beside it. */
  inspect(): Promise<Omit<Claim, 'base'>>
  prove(claim: Omit<Claim, 'base'>, iteration: number): Promise<ProofOutcome>
  /** One line of the execution log. */
  log(line: string): Promise<void>
  /** One line of `logs/signals.jsonl`. */
  logProblem(line: string): Promise<void>
  /** Keeps what an iteration brought, under the fence of the claim; false when the claim is lost. */
  keep(progress: TaskProgress): Promise<boolean>
  show(row: LiveRow): void
  readonly clock: RunClock
  /** From 0 to 1. */
  random(): number
  /** Where a spent quota is slept out; without one everybody sleeps on his own. */
  readonly quotaPlace?: QuotaPlace
}

/** The place of one agent among all that sleep. */
export interface QuotaPlace {
  /** The earliest moment at which it may be woken after the reset. */
  wakeAt(resetAtMs: number): number
  /** Until it is its turn, or the signal is given. */
  sleep(resetAtMs: number, signal: AbortSignal): Promise<void>
}
