import type { CaseId } from '../../cases/case.ts'
import { hasInHand } from '../../delivery/file-in-hand.ts'
import { giveOrder, makeOrder } from '../../project/interventions/give-order.ts'
import { deliveryOf } from '../../project/task-notes.ts'
import type { Signal } from '../../signals/finding.ts'
import type { Store } from '../../store/store.ts'

/** More tasks than this may use the file; a request to all of them would be taken up by none. */
const HOLDERS_TOLD_MAX = 3

/**
 * Tells the agents that have a file in hand what another agent needs in it, so that one of them can make the
 * change. Best effort: nothing depends on its delivery.
 */
export async function tellHolder(
  store: Store,
  asking: { readonly task: CaseId; readonly agent: string },
  signal: Signal,
): Promise<readonly CaseId[]> {
  if (signal.name !== 'FILE CONFLICT') return []
  const { need = '', reason = '', assignedTo } = signal.body ?? {}
  const file = { path: signal.payload ?? '', holder: assignedTo?.trim() ?? null }
  const tasks = [
    ...(await store.query({ type: 'task', status: 'active' })),
    ...(await store.query({ type: 'task', status: 'review' })),
  ]
  const holders = tasks
    .filter(({ id }) => id !== asking.task)
    .filter((task) => hasInHand(task, deliveryOf(task), file))
    .slice(0, HOLDERS_TOLD_MAX)
  const text = [
    `${asking.agent} works on ${asking.task} and needs a change in ${file.path}, which you have in hand.`,
    ...(need === '' ? [] : [`It needs to: ${need}`]),
    ...(reason === '' ? [] : [`Because: ${reason}`]),
    'If that fits your own change, make it; otherwise keep your part of the file small.',
  ].join('\n')
  for (const { id } of holders)
    await giveOrder(store, id, await makeOrder(store, asking.agent, { kind: 'tell' }, text))
  return holders.map(({ id }) => id)
}
