import { Failure } from '../platform/failure.ts'
import type { Git, Repository } from '../platform/git/git.ts'
import { moveRefs } from '../platform/git/repository-operations.ts'

/** The ref that names the integrator that may move the target. */
export const TURN = 'refs/axiom/integrator'

/** An integrator's right to move the target, valid until another integrator takes it. */
export interface IntegratorTurn {
  /** The object that the ref names while this right is valid. */
  readonly mark: string
}

const TRIES_MAX = 10

/** Takes the right from any earlier integrator; from now on only this one can move the target. */
export async function takeTurn(
  git: Git,
  repository: Repository,
  who: { readonly holder: string; readonly startedAtMs: number; readonly nonce: string },
): Promise<IntegratorTurn> {
  const words = ['hash-object', '-w', '--stdin']
  const mark = await git.text(repository, words, { input: `${JSON.stringify(who)}\n` })
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const from = await markNow(git, repository)
    if ((await moveRefs(git, repository, [{ ref: TURN, to: mark, from }])) === 'moved') return { mark }
  }
  throw new Failure('GIT_REF_REFUSED', 'Others keep taking the turn to move the target', { retryable: true })
}

export async function hasTurn(git: Git, repository: Repository, turn: IntegratorTurn): Promise<boolean> {
  return (await markNow(git, repository)) === turn.mark
}

async function markNow(git: Git, repository: Repository): Promise<string | undefined> {
  const words = ['rev-parse', '--verify', '--quiet', TURN]
  const { exitCode, stdout } = await git.run(repository, words, { expect: [0, 1, 128] })
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined
}
