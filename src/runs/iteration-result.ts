import type { ProofOutcome } from '../verification/prove-completion.ts'
import type { Verdict } from './verdict.ts'

/** How the agent's process ended, as far as the run has to tell. */
export type IterationEnd =
  | { readonly kind: 'completed' }
  /** An exit code other than 0, or an error in its last word. `needsPerson`: trying again cannot help. */
  | { readonly kind: 'failed'; readonly reason: string; readonly needsPerson: boolean }
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'rate-limited'; readonly reason: string; readonly resetAtMs: number | undefined }
  /** A person stopped it. */
  | { readonly kind: 'stopped' }
  /** Its time was up while it worked. */
  | { readonly kind: 'timed-out' }

/** Everything that the next step depends on. */
export interface IterationResult {
  readonly end: IterationEnd
  readonly verdict: Verdict | undefined
  /** Whether the agent gave any signal at all, progress included. */
  readonly signalled: boolean
  readonly committed: boolean
  /** Of everything the agent said; the same words give the same digest. */
  readonly outputDigest: string
  /** Present when the agent said it is done and its process ended well. */
  readonly gate: ProofOutcome | undefined
}
