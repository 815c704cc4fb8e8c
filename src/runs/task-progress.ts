import type { TaskExecution } from '../cases/metadata.ts'
import type { Signal } from '../signals/finding.ts'

export interface Learnt {
  readonly scope: 'local' | 'global'
  readonly content: string
}

/** What one iteration adds to the record of its task. */
export interface TaskProgress {
  readonly execution: TaskExecution
  readonly discoveries: readonly Learnt[]
  readonly warnings: readonly string[]
  /** Spent by the whole run until now. */
  readonly spent: Spent
  /** How long the run has worked, without waiting. */
  readonly activeMs: number
}

export interface TokenUse {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
}

export interface Spent {
  readonly tokens: TokenUse
  readonly costUsd: number
}

export const NOTHING_SPENT: Spent = {
  tokens: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  costUsd: 0,
}

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    tokens: {
      inputTokens: a.tokens.inputTokens + b.tokens.inputTokens,
      cachedInputTokens: a.tokens.cachedInputTokens + b.tokens.cachedInputTokens,
      outputTokens: a.tokens.outputTokens + b.tokens.outputTokens,
    },
    costUsd: a.costUsd + b.costUsd,
  }
}

/** The metadata of a case is small; the log has all signals. */
const SIGNALS_KEPT_MAX = 20
const SIGNAL_CHARACTERS_MAX = 80
const ERROR_CHARACTERS_MAX = 1_000

/** `PROGRESS:50`, `COMPLETE`: the short form of a signal in the figures of a task. */
export function shortSignal({ type, payload }: Signal): string {
  const text = payload === null || payload === '' ? type : `${type}:${payload}`
  return text.slice(0, SIGNAL_CHARACTERS_MAX)
}

export function addSignals(execution: TaskExecution, signals: readonly Signal[]): TaskExecution {
  if (signals.length === 0) return execution
  const all = [...(execution.signals ?? []), ...signals.map(shortSignal)]
  return { ...execution, signals: all.slice(-SIGNALS_KEPT_MAX) }
}

export function withError(execution: TaskExecution, error: string | undefined): TaskExecution {
  const { lastError: _, ...rest } = execution
  return error === undefined ? rest : { ...rest, lastError: error.slice(0, ERROR_CHARACTERS_MAX) }
}

export function learntOf(signals: readonly Signal[]): Learnt[] {
  return signals.flatMap(({ name, payload }): Learnt[] => {
    if (payload === null) return []
    if (name === 'DISCOVERY_LOCAL') return [{ scope: 'local', content: payload }]
    return name === 'DISCOVERY_GLOBAL' ? [{ scope: 'global', content: payload }] : []
  })
}
