import { applyEvent } from '../project/delivery/apply-event.ts'
import type { RunControl } from '../runs/run-control.ts'
import { carryOutPark } from './budgets/park.ts'
import { checkpointIfDue } from './checkpoints/checkpoint-if-due.ts'
import { choreNamed } from './chores/table.ts'
import type { Desk } from './context.ts'
import { LEASE_MS } from './develop/claim-task.ts'
import { countFailure } from './develop/count-failure.ts'
import { carryOutDevelop } from './develop/develop.ts'
import { followOrders } from './develop/follow-orders.ts'
import type { Effect } from './effect.ts'
import { carryOutAskPerson } from './land/conflict/ask-person.ts'
import { carryOutResolve } from './land/conflict/resolve.ts'
import { carryOutLand } from './land/land.ts'
import { showQueue } from './land/show-queue.ts'
import { settleQuestion } from './questions/settle-question.ts'
import { carryOutConfirm } from './review/confirm.ts'
import { carryOutPerform } from './review/review.ts'

/** Carries out one effect, and commits its result. */
export async function carryOut(
  desk: Desk,
  effect: Effect,
  slot: number | null,
  control: RunControl | undefined,
): Promise<void> {
  const { means } = desk
  switch (effect.kind) {
    case 'say': {
      const word = { about: effect.task, occurrence: effect.occurrence }
      const answer = await applyEvent(means.store, means.words, word)
      await countFailure(means, answer)
      // A refused event is refused again until something changes.
      if (answer.kind === 'refused') desk.rest(effect.task, LEASE_MS)
      return
    }
    case 'release': {
      const { task: id, stage, fence } = effect
      const reason = 'its holder is gone'
      await means.store.transact({
        commands: [{ kind: 'release', id, stage, fence, reason }],
        by: 'director',
      })
      return
    }
    case 'recover': {
      const command = { kind: 'recover', id: effect.task, reason: 'its claim ran out' } as const
      const answer = await means.store.transact({ commands: [command], by: 'director' })
      if (answer.kind !== 'committed') desk.rest(effect.task, LEASE_MS)
      return
    }
    case 'settle':
      return settleQuestion(desk, effect.id)
    case 'park':
      return carryOutPark(desk, effect.id)
    case 'follow-orders':
      return followOrders(desk, effect.task)
    case 'develop':
      return control && carryOutDevelop(means, effect, slot ?? 0, control)
    case 'perform':
      return control && carryOutPerform(means, effect, slot ?? 0, control)
    case 'resolve':
      return control && carryOutResolve(means, effect, slot ?? 0, control)
    case 'ask-person':
      return carryOutAskPerson(means, desk.snapshot().rules, effect)
    case 'confirm':
      return carryOutConfirm(means, effect.task)
    case 'land':
      await showQueue(desk)
      if ((await carryOutLand(means, effect.entries)) > 0) {
        desk.want('publish', 'clean-workspaces')
        await checkpointIfDue(means, desk.snapshot().rules.checkpointEvery)
      }
      return showQueue(desk, 'landed')
    case 'chore':
      return choreNamed(effect.name)?.run(desk)
  }
}
