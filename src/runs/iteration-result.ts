import type { ProofOutcome } from '../verification/prove-completion.ts'
import type { Verdict } from './verdict.ts'

/** How the agent's process ended, as far as the run distinguishes it. */
export type IterationEnd =
  | { readonly kind: 'completed' }
  /** An exit code other than 0, or an error in its last message. `needsPerson`: another try cannot help. */
  | { readonly kind: 'failed'; readonly reason: string; readonly needsPerson: boolean }
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'rate-limited'; readonly reason: string; readonly resetAtMs: number | undefined }
  /** A person stopped it. */
  | { readonly kind: 'stopped' }
  /** Its time was up while it worked. */
  | { readonly kind: 'timed-out' }

/** Everything that decides the next step. */
export interface IterationResult {
  readonly end: IterationEnd
  readonly verdict: Verdict | undefined
  /** Whether the agent gave any signal at all, progress included. */
  readonly signalled: boolean
  readonly committed: boolean
  /** Of the agent's whole output; the same text gives the same digest. */
  readonly outputDigest: string
  /** Present when the agent claimed to be done and its process ended without an error. */
  readonly gate: ProofOutcome | undefined
}
