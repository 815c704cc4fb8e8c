import type { Severity } from '../health/health-facts.ts'
import type { RunRecord } from '../runs/run-ledger.ts'
import type { RunClock } from '../runs/run-ports.ts'
import type { Store } from '../store/store.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Hands, HookOrder } from './hands.ts'
import type { WordWorld } from './word-world.ts'

/** Something that people should know and that is no state of a case. */
export interface Notice {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly task?: string
  readonly agent?: string
}

/** What effects are carried out with. */
export interface Means {
  /** Every commit through it is in the director's view when it returns. */
  readonly store: Store
  readonly hands: Hands
  readonly words: WordWorld
  readonly clock: RunClock
  readonly vocabulary: Vocabulary
  /** Failed tasks in a row that pause the work. */
  readonly failuresBeforePause: number
  record(run: Omit<RunRecord, 'session'>): Promise<void>
  notify(notice: Notice): void
}

/** Hooks never hold work up: what goes wrong in one is told, and nothing waits for it. */
export function runHook({ hands, notify }: Means, order: HookOrder): void {
  const tell = (message: string): void =>
    notify({ code: 'HOOK_FAILED', severity: 'low', message: `${order.event}: ${message}` })
  hands.runHook(order).then(
    ({ failed }) => {
      for (const { command, reason } of failed) tell(`${command}: ${reason}`)
    },
    (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
  )
}
