import type { Config } from '../../config/schema.ts'
import type { Rules } from '../snapshot.ts'

/** The director's rules, from the configuration. */
export function rulesOf(
  config: Config,
  { slots, nonInteractive }: { readonly slots?: number; readonly nonInteractive: boolean },
): Rules {
  return {
    slots: slots ?? config.agents.maxConcurrent,
    batchMax: config.integration.batchMax,
    mode: config.integration.mode,
    conflictTries: config.integration.conflictTries,
    checkpointEvery: config.checkpoints.every,
    escalation: config.integration.escalation,
    commitTypes: config.commits.types,
    nonInteractive,
    disk: config.disk,
    budgets: config.budgets,
    quietHours: config.quietHours,
  }
}
