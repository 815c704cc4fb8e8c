import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { layOutRepository } from '../platform/git/lay-out-repository.ts'
import { moveToTrash } from './remove-workspace.ts'
import type { Ground } from './workspace.ts'

/** A throwaway copy of exactly one commit, for proofs and reviewers. Nothing in it is ever saved. */
export interface Checkout extends AsyncDisposable {
  readonly path: string
  readonly commit: string
}

/** Beside the workspaces, under a name that no workspace can have; a crash leaves it to `sweepUnfinished`. */
const THROWAWAY = '.new-checkout-'

export async function openCheckout(ground: Ground, commit: string): Promise<Checkout> {
  const path = join(ground.workspacesDir, `${THROWAWAY}${randomUUID()}`)
  const gitDir = join(path, '.git')
  await ground.checkingOut.pass(async () => {
    layOutRepository(gitDir, {
      bare: false,
      head: 'proof',
      refs: { 'refs/heads/proof': commit },
      borrowFrom: ground.integration.gitDir,
    })
    await ground.git.run({ gitDir, workTree: path }, ['read-tree', '-m', '-u', '--', commit])
  })
  return { path, commit, [Symbol.asyncDispose]: () => moveToTrash(ground, path, 'checkout') }
}
