import type { CaseCommand } from '../../cases/command.ts'
import { tellOfEdit } from '../../project/interventions/edit-task.ts'
import type { Store } from '../../store/store.ts'
import type { CommandAnswer } from '../contract.ts'
import type { SoundCommand } from './command-schema.ts'

type Change = Extract<
  SoundCommand,
  {
    kind:
      | 'create'
      | 'edit'
      | 'depend'
      | 'undepend'
      | 'complete'
      | 'block'
      | 'unblock'
      | 'defer'
      | 'transition'
      | 'delete'
  }
>

/** A manual change of cases; the case rules decide whether it is allowed. */
export async function changeCases(
  store: Store,
  by: string,
  change: Change,
  key: string,
): Promise<CommandAnswer> {
  const commands = [caseCommand(change), ...(await alsoTold(store, by, change))]
  const answer = await store.transact({ commands, by, key })
  switch (answer.kind) {
    case 'committed': {
      const cases = answer.created.length > 0 ? answer.created : answer.cases.map(({ id }) => id)
      return { kind: 'done', message: sentence(change, cases), cases }
    }
    case 'refused':
      return answer
    case 'stale':
      return {
        kind: 'refused',
        code: 'STORE_BUSY',
        message: `${answer.key} was changed at the same moment`,
        hint: 'try again',
      }
  }
}

function caseCommand(change: Change): CaseCommand {
  switch (change.kind) {
    case 'create': {
      const { type, content, parentId, criteria, dependsOn, tags } = change
      return {
        kind: 'create',
        type,
        content,
        ...(parentId === undefined ? {} : { parentId }),
        ...(dependsOn === undefined ? {} : { dependsOn }),
        ...(tags === undefined ? {} : { tags }),
        ...(criteria === undefined ? {} : { metadata: { acceptanceCriteria: criteria } }),
      }
    }
    case 'edit':
      return { kind: 'update', id: change.case, reason: 'edited by a person', ...edited(change) }
    case 'depend':
    case 'undepend':
      return { kind: change.kind, id: change.case, on: change.on }
    case 'complete':
      return { kind: 'complete', id: change.case }
    case 'block':
      return { kind: 'move', id: change.case, status: 'blocked', reason: change.reason }
    case 'unblock':
      return {
        kind: 'move',
        id: change.case,
        status: 'pending',
        reason: change.reason ?? 'unblocked by hand',
      }
    case 'defer':
      return { kind: 'transition', id: change.case, type: 'deferred', reason: change.reason }
    case 'transition':
      return { kind: 'transition', id: change.case, type: change.type, reason: change.reason }
    case 'delete':
      return {
        kind: 'delete',
        id: change.case,
        reason: change.reason,
        ...(change.cascade === undefined ? {} : { cascade: change.cascade }),
      }
  }
}

function edited({ content, criteria, tags }: Extract<Change, { kind: 'edit' }>) {
  return {
    ...(content === undefined ? {} : { content }),
    ...(tags === undefined ? {} : { tags }),
    ...(criteria === undefined ? {} : { metadata: { acceptanceCriteria: criteria } }),
  }
}

/** Notifies the agent that works on the task of its new content. */
async function alsoTold(store: Store, by: string, change: Change): Promise<CaseCommand[]> {
  if (change.kind !== 'edit') return []
  const [task] = await store.query({ ids: [change.case] })
  return task?.type === 'task' ? tellOfEdit(store, by, task, edited(change)) : []
}

function sentence(change: Change, cases: readonly string[]): string {
  switch (change.kind) {
    case 'create':
      return `${cases.join(', ')} is created.`
    case 'edit':
      return `${change.case} is changed.`
    case 'depend':
      return `${change.case} waits for ${change.on}.`
    case 'undepend':
      return `${change.case} no longer waits for ${change.on}.`
    case 'complete':
      return `${change.case} is done.`
    case 'block':
      return `${change.case} is blocked.`
    case 'unblock':
      return `${change.case} may go on.`
    case 'defer':
      return `${change.case} is put off.`
    case 'transition':
      return `${change.case} is now of the type ${change.type}.`
    case 'delete':
      return `${change.case} is deleted; its text and history stay.`
  }
}
