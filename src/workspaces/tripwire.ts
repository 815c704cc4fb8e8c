import type { Git } from '../platform/git/git.ts'
import { compareFingerprints, type Fingerprint, fingerprintRepository } from './repository-fingerprint.ts'

/** What a user moves with everything he does; whoever else moves it is met where his branch is taken in. */
const HIS_OWN_MOVES = /^(?:HEAD|index|refs\/|worktrees\/)/

/**
 * Watches the parts of the user's repository that decide what his git runs and believes: hooks, configuration,
 * attributes, alternates. Without walls an agent can reach them, and nothing that AXIOM does changes them.
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

  /** The parts that somebody touched since the last look; each is told once. */
  async touched(): Promise<readonly string[]> {
    const now = await this.#look()
    const changes = compareFingerprints(this.#last, now)
    this.#last = now
    return changes.map(({ part }) => part).filter((part) => !HIS_OWN_MOVES.test(part))
  }
}
