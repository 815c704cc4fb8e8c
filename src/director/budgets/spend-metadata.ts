import type { Case } from '../../cases/case.ts'
import type { Metadata } from '../../cases/metadata.ts'
import { addSpend, readSpend, SPEND_KEY, spendOfTurn } from '../../health/budgets/spend.ts'
import type { Spent } from '../../runs/task-progress.ts'

/** What an agent's work on a case took, as far as it has come. */
export interface Cost {
  readonly spent: Spent
  /** Without the time in which it only waited. */
  readonly activeMs: number
}

/** What has been spent on a case, with one more run; `before` is the case as it was when the run began. */
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
