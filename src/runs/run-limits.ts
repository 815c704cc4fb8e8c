import type { Config } from '../config/schema.ts'

/** The bounds of one run. */
export interface RunLimits {
  readonly iterationsMax: number
  readonly durationMaxMs: number
  /** Further attempts after one that failed; and restarts after a crash. */
  readonly retriesMax: number
  readonly stuckIterations: number
  readonly sameOutputsMax: number
  /** Waits for the model's service in a row, before a person is notified. */
  readonly waitsMax: number
}

const MINUTE_MS = 60_000
/** With the longest back-off this is more than two days. */
const WAITS_MAX = 200

export function runLimits({ agents }: Pick<Config, 'agents'>): RunLimits {
  return {
    iterationsMax: agents.maxIterations,
    durationMaxMs: agents.maxMinutes * MINUTE_MS,
    retriesMax: agents.retries,
    stuckIterations: agents.stuckIterations,
    sameOutputsMax: agents.sameOutputLimit,
    waitsMax: WAITS_MAX,
  }
}
