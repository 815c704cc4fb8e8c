import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { DELIVERY_KEY } from '../../delivery/delivery-state.ts'
import type { Means } from '../context.ts'

/** The decision on the last question about this task. */
export async function lastAnswer({ store }: Means, task: Case): Promise<string> {
  const questions = await store.query({ type: 'pending', status: 'done', parentId: task.parentId })
  const own = questions.filter(({ metadata }) => metadata.waitingTask === task.id)
  const last = own.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt)).at(-1)
  const decision = last?.metadata.decision
  return typeof decision === 'string' ? decision.trim() : 'retry'
}

export async function putOff({ store }: Means, task: Case, reason: string): Promise<void> {
  const commands: CaseCommand[] = [
    { kind: 'update', id: task.id, metadata: { [DELIVERY_KEY]: null }, reason },
    { kind: 'transition', id: task.id, type: 'deferred', reason },
  ]
  await store.transact({ commands, by: 'director', expect: { [task.id]: task.rev } })
}
