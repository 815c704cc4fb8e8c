import type { CaseId } from '../../cases/case.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { applyEvent } from '../../project/delivery/apply-event.ts'
import { directorEvent } from '../../project/delivery/make-event.ts'
import type { Means } from '../context.ts'

/** AXIOM runs again what the auditor says it ran. */
export async function carryOutConfirm(means: Means, id: CaseId): Promise<void> {
  const [task] = await means.store.query({ ids: [id] })
  const read = task && readDelivery(task)
  if (!task || read?.kind !== 'read' || read.delivery.state !== 'confirming') return
  const { delivery } = read
  const { commit } = delivery
  const result = await means.hands.confirm({ task, delivery, slot: 0 })
  const isConfirmed = result.kind === 'confirmed'
  const text = isConfirmed ? null : result.text
  await applyEvent(means.store, means.words, {
    about: id,
    occurrence: directorEvent(id, isConfirmed ? 'CONFIRMED' : 'REFUTED', `confirm/${task.rev}`, {
      commit,
      text,
    }),
    checksGreen: isConfirmed,
    ...(isConfirmed ? { metadata: { confirmation: result.evidence } } : {}),
  })
}
