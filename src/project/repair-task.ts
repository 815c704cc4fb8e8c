import assert from 'node:assert/strict'
import type { CaseId } from '../cases/case.ts'
import { Failure } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import { changeProject, readProject } from './document.ts'

/** Whether the required checks are green on the target itself. */
export type TargetProbe =
  | { readonly kind: 'green' | 'no-checks' }
  | { readonly kind: 'red'; readonly commit: string; readonly text: string }

const OUTPUT_CHARACTERS_MAX = 2_000

/** One for a finished repair that was never recorded, one to create the new one, one to find it open. */
const LOOKS_MAX = 3

/**
 * The task that makes a red target green again; it goes before everything else. Created once, however often
 * it is requested: its key names the repair before it, so a task whose process died before recording it is
 * found again.
 */
export async function makeRepairTask(
  store: Pick<Store, 'document' | 'query' | 'transact'>,
  by: string,
  { commit, text }: Extract<TargetProbe, { kind: 'red' }>,
): Promise<CaseId> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { repairTask: last } = (await readProject(store)).project
    const [known] = last === null ? [] : await store.query({ ids: [last] })
    if (known && known.status !== 'done' && known.deletedAt === undefined) return known.id
    const answer = await store.transact({
      commands: [
        { kind: 'create', type: 'operation', content: 'Make the target green again', as: 'operation' },
        {
          kind: 'create',
          type: 'task',
          parentId: '$operation',
          content: `Repair the required checks, which are red at ${commit} before any new work:\n${text.slice(-OUTPUT_CHARACTERS_MAX)}`,
          tags: ['critical'],
          metadata: { acceptanceCriteria: ['every required check passes on the target'] },
          as: 'task',
        },
      ],
      by,
      key: `repair-task/after/${last ?? 'none'}`,
    })
    if (answer.kind !== 'committed') throw new Failure('STORE_REFUSED', JSON.stringify(answer))
    const { task } = answer.names
    assert(task !== undefined, 'a repair without an id')
    await changeProject(store, by, (project) => ({ ...project, repairTask: task }))
  }
  throw new Failure('STORE_REFUSED', 'The repair of the target is done again as soon as it is made')
}
