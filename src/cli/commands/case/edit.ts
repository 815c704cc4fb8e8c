import type { CaseCommand } from '../../../cases/command.ts'
import { tellOfEdit } from '../../../project/interventions/edit-task.ts'
import { retryStale, STALE } from '../../../project/retry-stale.ts'
import type { Store } from '../../../store/store.ts'
import { PERSON } from '../../intervene.ts'
import { refused } from '../../project.ts'

/** An edit by a person, allowed at any time; the same commit notifies the agent that works on the task. */
export function edit(store: Store, id: string, commands: readonly CaseCommand[]): Promise<void> {
  return retryStale(id, async () => {
    const [record] = await store.query({ ids: [id] })
    const update = commands.find((command) => command.kind === 'update')
    const told = record && update ? await tellOfEdit(store, PERSON, record, update) : []
    const answer = await store.transact({
      commands: [...commands, ...told],
      by: PERSON,
      ...(record ? { expect: { [id]: record.rev } } : {}),
    })
    if (answer.kind === 'refused') throw refused(answer)
    return answer.kind === 'stale' ? STALE : undefined
  })
}
