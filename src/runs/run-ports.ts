import type { LiveRow } from '../events/live-row.ts'
import type { Claim, ProofOutcome } from '../verification/prove-completion.ts'
import type { TaskProgress, TokenUse } from './task-progress.ts'

export type { LiveRow }

/** The events of an agent's stream that matter to a run; drivers report more. */
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

/** One agent process in one iteration. */
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

/** Time as the run sees it. A wait ends early, without an error, when the signal is aborted. */
export interface RunClock {
  now(): number
  sleepUntil(atMs: number, signal: AbortSignal): Promise<void>
  /** A clock that is not affected when the system time is set; absent where it cannot be set. */
  steady?(): RunClock
}

/** What a run needs from outside. */
export interface RunPorts {
  startAgent(order: IterationOrder): Promise<AgentSession>
  /** Inspects the workspace: the commit of its HEAD, saved, and what is not committed. */
  inspect(): Promise<Omit<Claim, 'base'>>
  prove(claim: Omit<Claim, 'base'>, iteration: number): Promise<ProofOutcome>
  /** One line of the execution log. */
  log(line: string): Promise<void>
  /** One line of `logs/signals.jsonl`. */
  logProblem(line: string): Promise<void>
  /** Keeps the result of an iteration, under the fence of the claim; false when the claim is lost. */
  keep(progress: TaskProgress): Promise<boolean>
  show(row: LiveRow): void
  readonly clock: RunClock
  /** From 0 to 1. */
  random(): number
  /** The place in the quota queue; without one each agent waits on its own. */
  readonly quotaPlace?: QuotaPlace
}

/** The place of one agent in the quota queue. */
export interface QuotaPlace {
  /** The earliest time at which it may be woken after the reset. */
  wakeAt(resetAtMs: number): number
  /** Waits for its turn, or until the signal is aborted. */
  sleep(resetAtMs: number, signal: AbortSignal): Promise<void>
}
