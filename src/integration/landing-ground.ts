import { Failure } from '../platform/failure.ts'
import { moveRefs, resolveCommit } from '../platform/git/repository-operations.ts'
import type { CandidateGround, Entry } from './entry.ts'
import { type IntegratorTurn, TURN } from './integrator-turn.ts'

export interface Verdict {
  readonly kind: 'green' | 'red'
  /** The proof: a digest, or text. */
  readonly evidence: string
  /** What a developer needs to know about a red check. */
  readonly feedback?: string
}

export interface LandingGround extends CandidateGround {
  /** The branch of record, without `refs/heads/`. */
  readonly target: string
  /** Serialises the writers of the integration repository. */
  readonly writing: { pass<T>(work: () => Promise<T>): Promise<T> }
  /** Runs the required checks, and those of the given entries, on a fresh checkout of exactly this commit. */
  readonly verify: (commit: string, group: readonly Entry[]) => Promise<Verdict>
  /** Whether an entry still carries the newest claim of its task. */
  readonly holdsFence: (entry: Entry) => Promise<boolean>
  /** The right to move the target; absent where there can only be one integrator. */
  readonly turn?: IntegratorTurn
}

/** What the checks cost and showed in addition to their verdicts. */
export interface CheckCount {
  readonly flaky: { commit: string; evidence: string }[]
  runs: number
}

/** A red check gets one more chance on the same commit. */
const CHECK_RUNS_MAX = 2

export async function readTarget({ git, repository, target }: LandingGround): Promise<string> {
  const commit = await resolveCommit(git, repository, `refs/heads/${target}`)
  if (commit !== undefined) return commit
  throw new Failure('GIT_NO_TARGET', `The branch ${target} has no commit yet`)
}

export async function verifyTwice(
  ground: LandingGround,
  commit: string,
  count: CheckCount,
  group: readonly Entry[] = [],
): Promise<Verdict> {
  for (let run = 1; ; run += 1) {
    const verdict = await ground.verify(commit, group)
    count.runs += 1
    if (verdict.kind === 'green' && run > 1) count.flaky.push({ commit, evidence: verdict.evidence })
    if (verdict.kind === 'green' || run === CHECK_RUNS_MAX) return verdict
  }
}

/** The fences are checked last: an entry whose claim was lost during the checks must not land. */
export async function moveTarget(
  ground: LandingGround,
  from: string,
  to: string,
  group: readonly Entry[],
): Promise<'moved' | 'changed-meanwhile'> {
  return ground.writing.pass(async () => {
    for (const entry of group) if (!(await ground.holdsFence(entry))) return 'changed-meanwhile'
    const ref = `refs/heads/${ground.target}`
    // One ref transaction: an integrator that was suspended while another took over can move nothing any
    // more.
    const guard = ground.turn ? [{ ref: TURN, to: ground.turn.mark, from: ground.turn.mark }] : []
    return moveRefs(ground.git, ground.repository, [{ ref, to, from }, ...guard])
  })
}
