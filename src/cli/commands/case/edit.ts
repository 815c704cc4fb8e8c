import type { CaseCommand } from '../../../cases/command.ts'
import { Failure } from '../../../platform/failure.ts'
import { tellOfEdit } from '../../../project/interventions/edit-task.ts'
import type { Store } from '../../../store/store.ts'
import { PERSON } from '../../intervene.ts'
import { refused } from '../../project.ts'

/** Agents write to the task that they work on; this often an edit is tried again on what it became. */
const TRIES_MAX = 20

/** An edit by a person, at any moment: an agent that has the task in hand is told of it in the same commit. */
export async function edit(store: Store, id: string, commands: readonly CaseCommand[]): Promise<void> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const [record] = await store.query({ ids: [id] })
    const update = commands.find((command) => command.kind === 'update')
    const told = record && update ? await tellOfEdit(store, PERSON, record, update) : []
    const answer = await store.transact({
      commands: [...commands, ...told],
      by: PERSON,
      ...(record ? { expect: { [id]: record.rev } } : {}),
    })
    if (answer.kind === 'refused') throw refused(answer)
    if (answer.kind === 'committed') return
  }
  throw new Failure('STORE_BUSY', `${id} changes too fast`, { hint: 'try again' })
}
