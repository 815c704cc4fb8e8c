import type { Actor } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { makeOrder, orderCommand } from './give-order.ts'
import { isRefused } from './outcome.ts'

type Update = Extract<CaseCommand, { kind: 'update' }>

/**
 * The order that an edit adds to a task at work: it tells the agent the new text, because the agent's prompt
 * was written before. Nothing for a case without an agent.
 */
export async function tellOfEdit(
  store: Store,
  by: Actor,
  task: CaseRecord,
  { content, metadata }: Pick<Update, 'content' | 'metadata'>,
): Promise<CaseCommand[]> {
  const agent = task.leases?.develop?.holder
  const criteria = metadata?.acceptanceCriteria
  if (agent === undefined || (content === undefined && criteria === undefined)) return []
  const text = [
    'The task was changed while you work on it. It is now:',
    content ?? task.content,
    ...(Array.isArray(criteria)
      ? ['Acceptance criteria:', ...criteria.map((one) => `- ${String(one)}`)]
      : []),
  ].join('\n')
  const command = orderCommand(task, await makeOrder(store, by, { kind: 'tell', agent }, text))
  return isRefused(command) ? [] : [command]
}
