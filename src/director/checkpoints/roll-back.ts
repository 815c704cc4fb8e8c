import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { type CaseState, readCheckpoint } from '../../integration/checkpoints/checkpoint.ts'
import {
  buildRollback,
  type LaterCommit,
  planRollback,
  type RollbackPlan,
} from '../../integration/checkpoints/plan-rollback.ts'
import { moveTarget, readTarget, verifyTwice } from '../../integration/landing-ground.ts'
import { LANDING_KEY } from '../../integration/landing-record.ts'
import { Failure } from '../../platform/failure.ts'
import type { Store } from '../../store/store.ts'
import { landingGround } from '../land/landing-ground.ts'
import type { RunWorld } from '../run-world.ts'

/** A case that goes back to an earlier state together with the branch. */
export interface Restored {
  readonly id: string
  readonly from: Case['status']
  readonly to: Case['status']
}

export interface Preview extends RollbackPlan {
  readonly checkpoint: string
  readonly restored: readonly Restored[]
}

export type RolledBack =
  | { readonly kind: 'rolled-back'; readonly commit: string; readonly preview: Preview }
  | { readonly kind: 'nothing-to-do'; readonly preview: Preview }
  | { readonly kind: 'conflict'; readonly with: LaterCommit; readonly files: readonly string[] }
  /** The target as it was does not pass today's checks. */
  | { readonly kind: 'red'; readonly feedback: string }

/** What a rollback to this checkpoint would undo; changes nothing. */
export async function previewRollback(world: RunWorld, name: string): Promise<Preview> {
  const ground = await landingGround(world)
  const { checkpoint, cases } = await readCheckpoint(ground.git, ground.repository, name)
  const plan = await planRollback(ground, await readTarget(ground), checkpoint)
  return { ...plan, checkpoint: name, restored: await restoredCases(world.store, plan, cases) }
}

/**
 * Brings branch and cases back to a checkpoint: first a commit that undoes what landed since, checked like
 * any other, then the cases. After an interruption it is called again: the branch is then already in place,
 * and the cases follow.
 */
export async function rollBack(world: RunWorld, name: string): Promise<RolledBack> {
  const { mode, remote } = world.config.integration
  if (mode === 'pull-request') {
    throw new Failure('ROLLBACK_ELSEWHERE', `the target is landed on by others, at ${remote}`, {
      hint: 'revert the commits there; the target of record follows',
    })
  }
  const ground = await landingGround(world)
  const { checkpoint, cases } = await readCheckpoint(ground.git, ground.repository, name)
  const plan = await planRollback(ground, await readTarget(ground), checkpoint)
  const preview = { ...plan, checkpoint: name, restored: await restoredCases(world.store, plan, cases) }
  const built = await buildRollback(ground, plan, checkpoint)
  if (built.kind === 'conflict') return built
  if (built.kind === 'nothing-to-do') {
    await restoreCases(world, preview)
    return { kind: 'nothing-to-do', preview }
  }
  const verdict = await verifyTwice(ground, built.commit, { flaky: [], runs: 0 })
  if (verdict.kind === 'red') return { kind: 'red', feedback: verdict.feedback ?? '' }
  if ((await moveTarget(ground, plan.target, built.commit, [])) !== 'moved') {
    throw new Failure('GIT_REF_REFUSED', 'something landed meanwhile; nothing was taken back', {
      hint: 'look at what would be lost now, and try again',
      retryable: true,
    })
  }
  await restoreCases(world, preview)
  return { kind: 'rolled-back', commit: built.commit, preview }
}

/** Tasks whose change is undone, and the cases above them that counted it as done. */
async function restoredCases(
  store: Store,
  { lost }: RollbackPlan,
  states: readonly CaseState[],
): Promise<Restored[]> {
  const before = new Map(states.map((state) => [state.id, state.status]))
  const tasks = [...new Set(lost.flatMap(({ task }) => task ?? []))]
  const restored: Restored[] = []
  let ids: readonly string[] = tasks
  while (ids.length > 0) {
    const found = await store.query({ ids })
    for (const { id, status, type, deletedAt } of found) {
      if (status !== 'done' || deletedAt !== undefined) continue
      // A case that was in work at the checkpoint has no agent now.
      const then = before.get(id) ?? 'pending'
      const to = type === 'task' && then !== 'failed' && then !== 'timeout' ? 'pending' : then
      if (to !== 'done') restored.push({ id, from: status, to })
    }
    ids = [...new Set(found.flatMap(({ parentId }) => parentId ?? []))]
  }
  return restored
}

async function restoreCases({ store }: RunWorld, { checkpoint, restored }: Preview): Promise<void> {
  if (restored.length === 0) return
  const reason = `rolled back to checkpoint ${checkpoint}`
  const tasks = new Set(
    (await store.query({ ids: restored.map(({ id }) => id) })).flatMap((one) =>
      one.type === 'task' ? [one.id] : [],
    ),
  )
  const commands = restored.flatMap(({ id, to }): CaseCommand[] => [
    { kind: 'restore', id, status: to, reason },
    ...(tasks.has(id)
      ? [
          {
            kind: 'update',
            id,
            metadata: { delivery: null, [LANDING_KEY]: null, landed: null },
            reason,
          } as const,
        ]
      : []),
  ])
  const answer = await store.transact({ commands, by: 'user' })
  if (answer.kind === 'committed') return
  throw new Failure('STORE_REFUSED', `the cases could not be brought back: ${JSON.stringify(answer)}`, {
    hint: 'the branch is rolled back; run the same command again',
  })
}
