import type { Git } from '../platform/git/git.ts'
import { compareFingerprints, type Fingerprint, fingerprintRepository } from './repository-fingerprint.ts'

/**
 * Parts that a user's ordinary work changes; a foreign change of them is caught when the branch is imported.
 */
const HIS_OWN_MOVES = /^(?:HEAD|index|refs\/|worktrees\/)/

/**
 * Watches the parts of the user's repository that decide what git runs and trusts there: hooks,
 * configuration, attributes, alternates. Without a sandbox an agent can reach them, and AXIOM itself never
 * changes them.
 */
export class Tripwire {
  readonly #look: () => Promise<Fingerprint>
  #last: Fingerprint

  private constructor(look: () => Promise<Fingerprint>, first: Fingerprint) {
    this.#look = look
    this.#last = first
  }

  static async arm(git: Git, root: string, scratchDir: string): Promise<Tripwire> {
    const look = () => fingerprintRepository(git, root, scratchDir)
    return new Tripwire(look, await look())
  }

  /** The parts that changed since the last call; each change is reported once. */
  async touched(): Promise<readonly string[]> {
    const now = await this.#look()
    const changes = compareFingerprints(this.#last, now)
    this.#last = now
    return changes.map(({ part }) => part).filter((part) => !HIS_OWN_MOVES.test(part))
  }
}
