import type { CaseId } from '../../cases/case.ts'
import { hasInHand } from '../../delivery/file-in-hand.ts'
import { giveOrder, makeOrder } from '../../project/interventions/give-order.ts'
import { deliveryOf } from '../../project/task-notes.ts'
import type { Signal } from '../../signals/finding.ts'
import type { Store } from '../../store/store.ts'

/** Others that may have one file in hand; whoever asks them all at once asks nobody. */
const HOLDERS_TOLD_MAX = 3

/**
 * Tells whoever has a file in hand what another agent needs in it, so that the change may be made by the one that is
 * there already. A courtesy: nothing depends on its arriving.
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
