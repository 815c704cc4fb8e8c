import type { Case } from '../../cases/case.ts'
import type { Metadata } from '../../cases/metadata.ts'
import { addSpend, readSpend, SPEND_KEY, spendOfTurn } from '../../health/budgets/spend.ts'
import type { Spent } from '../../runs/task-progress.ts'

/** What an agent's work on a case has cost so far. */
export interface Cost {
  readonly spent: Spent
  /** Without waiting time. */
  readonly activeMs: number
}

/** The total spent on a case, including one more run; `before` is the case as it was when the run began. */
export function spendMetadata(before: Pick<Case, 'metadata'>, { spent, activeMs }: Cost): Metadata {
  const { tokens, costUsd } = spent
  const run = spendOfTurn({
    inputTokens: tokens.inputTokens,
    outputTokens: tokens.outputTokens,
    costUsd,
    durationMs: activeMs,
    startsRun: true,
  })
  return { [SPEND_KEY]: addSpend(readSpend(before.metadata), run) }
}
