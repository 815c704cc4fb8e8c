import type { CaseId } from '../cases/case.ts'
import type { Notice } from '../project/alerts.ts'
import type { EventContext } from '../project/delivery/event-context.ts'
import type { RunControl } from '../runs/run-control.ts'
import type { RunRecord } from '../runs/run-ledger.ts'
import type { RunClock } from '../runs/run-ports.ts'
import type { Store } from '../store/store.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Hands, HookOrder } from './hands.ts'
import type { ChoreMemory, Snapshot } from './snapshot.ts'

/** What effects need to be carried out. */
export interface Means {
  /** Every commit made through it is in the director's view when it returns. */
  readonly store: Store
  readonly hands: Hands
  readonly words: EventContext
  readonly clock: RunClock
  readonly vocabulary: Vocabulary
  /** Failed tasks in a row after which the project pauses. */
  readonly failuresBeforePause: number
  record(run: Omit<RunRecord, 'session'>): Promise<void>
  notify(notice: Notice): void
}

/** What an effect may see and change of the director that carries it out. */
export interface Desk {
  readonly means: Means
  snapshot(): Snapshot
  controlOf(task: CaseId): RunControl | undefined
  /** Pauses one agent at the end of its iteration, or resumes it. */
  hold(task: CaseId, isHeld: boolean): void
  remember(memory: Partial<Omit<ChoreMemory, 'ranAtMs' | 'wanted'>>): void
  /** Makes chores due, by their names. */
  want(...chores: readonly ChoreName[]): void
  /** Switches a chore off for the life of this director, because the hands cannot do it. */
  retire(chore: string): void
  /** Keeps a key from starting for some time. */
  rest(key: string, ms: number): void
}

/** The chores that other code can request. */
export type ChoreName =
  | 'publish'
  | 'clean-workspaces'
  | 'take-in'
  | 'write-spec-progress'
  | 'guard-repository'

/** Hooks never delay work: their errors are reported, and nothing waits for them. */
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
