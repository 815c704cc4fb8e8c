import type { CaseId } from '../../cases/case.ts'
import { applyEvent } from '../../project/delivery/apply-event.ts'
import { agentEvent } from '../../project/delivery/make-event.ts'
import { deliveryOf } from '../../project/task-notes.ts'
import type { RunControl } from '../../runs/run-control.ts'
import type { Role } from '../../signals/definition.ts'
import type { Signal } from '../../signals/finding.ts'
import type { Means } from '../context.ts'

interface Speaker {
  readonly role: Role
  readonly agent: string
  readonly task: CaseId
  readonly fence: number
}

const SIGNS: readonly string[] = ['CHECKPOINT', 'PROGRESS']

/**
 * Reports an agent's answer to delivery when it was asked for a sign of life. Progress that it reports
 * unasked is only displayed, not kept. Awaited when the agent has ended, so that no error is lost.
 */
export function hearSigns(
  means: Pick<Means, 'store' | 'words'>,
  speaker: Speaker,
  control: RunControl,
): { told(): Promise<void> } {
  let telling = Promise.resolve()
  let trouble: unknown
  control.listen((signal) => {
    if (!SIGNS.includes(signal.name)) return
    telling = telling
      .then(() => tellSign(means, speaker, signal))
      .catch((error: unknown) => {
        trouble ??= error
      })
  })
  return {
    async told() {
      await telling
      if (trouble !== undefined) throw trouble
    },
  }
}

async function tellSign(
  { store, words }: Pick<Means, 'store' | 'words'>,
  { role, agent, task: id, fence }: Speaker,
  signal: Signal,
): Promise<void> {
  const [task] = await store.query({ ids: [id] })
  if (!task) return
  if (deliveryOf(task).wait?.kind !== 'checkpoint') return
  const occurrence = agentEvent(role, agent, signal, `sign/${agent}/${fence}/${task.rev}`, { fence })
  await applyEvent(store, words, { about: id, occurrence })
}
