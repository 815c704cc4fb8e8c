import type { AgentRequest, Driver } from '../agents/driver.ts'
import type { Config } from '../config/schema.ts'
import type { RunInSandbox } from '../platform/process/run-line.ts'
import type { Ash } from '../runs/ash.ts'
import type { LiveRow, RunClock } from '../runs/run-ports.ts'
import type { Store } from '../store/store.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Ground, SeenGround } from '../workspaces/workspace.ts'
import type { QuotaQueue } from './agents/quota-queue.ts'

/** Everything around a run that is the same for all runs of a project. */
export interface RunWorld {
  /** The root of the user's repository; the vocabulary names the folder below it. */
  readonly root: string
  readonly vocabulary: Vocabulary
  readonly config: Config
  readonly store: Store
  readonly ground: Ground
  readonly driver: Driver
  /** Runs set-up commands and checks, without access to agents' credentials. */
  readonly runLine: RunInSandbox
  readonly ash: Ash
  readonly clock: RunClock
  random(): number
  /** Removes known secrets from a text; see `Redactor`. */
  redact(text: string): string
  show(row: LiveRow): void
  /** The queue for agents whose quota is spent; without one each waits by itself. */
  readonly quotaQueue?: QuotaQueue
  /** What a proof depends on besides the commit: platform, versions, level of the sandbox. */
  readonly machine: Readonly<Record<string, string>>
  /** Added to every request for an agent; for example the playbook of a simulated one. */
  readonly agentRequest?: Partial<Pick<AgentRequest, 'environment' | 'readOnly' | 'readWrite'>>
}

/** The part needed to look at the work of a project without doing any. */
export type SeenWorld = Pick<RunWorld, 'store' | 'config'> & { readonly ground: SeenGround }
