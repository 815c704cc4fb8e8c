import type { CaseId } from '../cases/case.ts'
import { Failure } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import type { TargetProbe } from './hands.ts'
import { PROJECT_KEY, readProject } from './project-document.ts'

const OUTPUT_CHARACTERS_MAX = 2_000

/** The task that makes a red target green again; it goes before everything else. Made once, however often it is asked for. */
export async function makeRepairTask(
  store: Store,
  by: string,
  { commit, text }: Extract<TargetProbe, { kind: 'red' }>,
): Promise<CaseId> {
  const { project, rev } = await readProject(store)
  const [known] = project.repairTask === null ? [] : await store.query({ ids: [project.repairTask] })
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
  })
  if (answer.kind !== 'committed') throw new Failure('STORE_REFUSED', JSON.stringify(answer))
  const task = answer.names.task ?? ''
  const value = { ...project, repairTask: task }
  const set = await store.transact({
    commands: [],
    by,
    documents: [{ key: PROJECT_KEY, value, expect: rev }],
  })
  if (set.kind !== 'committed') throw new Failure('STORE_REFUSED', JSON.stringify(set))
  return task
}
