import type { CaseId } from '../../cases/case.ts'
import type { RunControl } from '../../runs/run-control.ts'
import type { LeaseKey } from '../../store/store.ts'
import { applyWord } from '../apply-word.ts'
import { entriesIn } from '../choose-landings.ts'
import type { Effect, Upkeep } from '../effects.ts'
import type { Means } from '../means.ts'
import { boardOf } from '../queue-board.ts'
import { leaseName, type Rounds, type Scene } from '../scene.ts'
import { unpaidRepair } from '../unpaid-repair.ts'
import { checkpointIfDue } from './checkpoint-if-due.ts'
import { LEASE_MS } from './claim-task.ts'
import { carryOutConfirm } from './confirm.ts'
import { countFailure } from './count-failure.ts'
import { carryOutDevelop } from './develop.ts'
import { followOffered } from './follow-remote.ts'
import { carryOutLand } from './land.ts'
import { mindHealth, tidyUp } from './mind-health.ts'
import { obeyOrders } from './obey.ts'
import { paintSpecs } from './paint-specs.ts'
import { carryOutPark } from './park.ts'
import { carryOutPerform } from './perform.ts'
import { publishToUser } from './publish.ts'
import { dropMatters, hasOpenMatter, raiseMatter } from './raise-matter.ts'
import { carryOutRefer } from './refer.ts'
import { carryOutResolve } from './resolve.ts'
import { settleMatter } from './settle-matter.ts'
import { renewLeases, takeInUsers, tellFound } from './upkeep.ts'
import { watchRepository } from './watch-repository.ts'

/** What an effect may see and change of the director that carries it out. */
export interface Desk {
  readonly means: Means
  scene(): Scene
  controlOf(task: CaseId): RunControl | undefined
  /** Keeps one agent at the end of its iteration, or lets it go on. */
  hold(task: CaseId, isHeld: boolean): void
  done(rounds: Partial<Rounds>): void
  /** Lets a key be until some time has passed. */
  rest(key: string, ms: number): void
}

/** Does one thing in the world, and commits what came of it. */
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
      const answer = await applyWord(means.store, means.words, word)
      await countFailure(means, answer)
      // Whatever refuses it will refuse it again until something changes.
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
      return settleMatter(desk, effect.id)
    case 'park':
      return carryOutPark(desk, effect.id)
    case 'obey':
      return obeyOrders(desk, effect.task)
    case 'develop':
      return control && carryOutDevelop(means, effect, slot ?? 0, control)
    case 'perform':
      return control && carryOutPerform(means, effect, slot ?? 0, control)
    case 'resolve':
      return control && carryOutResolve(means, effect, slot ?? 0, control)
    case 'refer':
      return carryOutRefer(means, desk.scene().rules, effect)
    case 'confirm':
      return carryOutConfirm(means, effect.task)
    case 'land':
      await showQueue(desk)
      if ((await carryOutLand(means, effect.entries)) > 0) {
        desk.done({ isPublishingDue: true, isCleaningDue: true })
        await checkpointIfDue(means, desk.scene().rules.checkpointEvery)
      }
      return showQueue(desk, 'landed')
    default:
      return carryOutUpkeep(desk, effect.kind)
  }
}

async function carryOutUpkeep(desk: Desk, kind: Upkeep['kind']): Promise<void> {
  const { means } = desk
  const nowMs = means.clock.now()
  switch (kind) {
    case 'renew':
      desk.done({ renewedAtMs: nowMs })
      await showQueue(desk)
      for (const lost of await renewLeases(means, heldLeases(desk))) stopWithout(desk, lost)
      return
    case 'find-landed':
      desk.done({ isSearchDue: false })
      if ((await tellFound(means, entriesIn(desk.scene()))) > 0)
        desk.done({ isPublishingDue: true, isCleaningDue: true })
      return
    case 'take-in':
      // A person's own words in a spec are seen as often as his commits.
      desk.done({ takenInAtMs: nowMs, paintedVersion: -1 })
      await (means.hands.follow ? followOffered(desk) : takeInUsers(desk))
      // What stands in the way of publishing may be gone without anybody having said so.
      if (hasOpenMatter(desk.scene(), 'publish-refused')) desk.done({ isPublishingDue: true })
      return
    case 'look-at-weather': {
      const { lookAtWeather } = means.hands
      // Where nothing can be merged, nobody looks again.
      desk.done({ weatherAtMs: lookAtWeather ? nowMs : Number.POSITIVE_INFINITY })
      if (lookAtWeather) desk.done({ weather: await lookAtWeather() })
      return showQueue(desk)
    }
    case 'publish':
      return publishToUser(desk)
    case 'clean':
      desk.done({ isCleaningDue: false })
      return tidyUp(desk)
    case 'paint':
      return paintSpecs(desk)
    case 'measure-health':
      return mindHealth(desk)
    case 'watch-repository':
      return watchRepository(desk)
    case 'mind-repair': {
      const unpaid = unpaidRepair(desk.scene())
      return unpaid ? raiseMatter(desk, unpaid) : dropMatters(desk, 'repair-unpaid')
    }
  }
}

/** For whoever looks at the queue, in this process or another; the batch at work is over when it has landed. */
async function showQueue(desk: Desk, moment?: 'landed'): Promise<void> {
  await desk.means.hands.showQueue?.(boardOf(desk.scene(), moment === 'landed'))
}

/** A developer keeps its claim while its work is reviewed; every other agent keeps its lease while at work. */
function heldLeases(desk: Desk): readonly LeaseKey[] {
  const scene = desk.scene()
  const working = [...scene.atWork.keys()].flatMap((task) => desk.controlOf(task)?.lease ?? [])
  const leases = [...standingLeases(scene), ...working]
  return [...new Map(leases.map((lease) => [leaseName(lease.id, lease.stage, lease.fence), lease])).values()]
}

/** An agent stops without its own lease or its task's claim; what the agent before it held is none of its business. */
function stopWithout(desk: Desk, { id, stage, fence }: LeaseKey): void {
  const control = desk.controlOf(id)
  if (control?.lease?.stage === stage && control.lease.fence === fence) control.loseLease()
  else if (stage === 'develop') control?.stop()
}

function standingLeases({ view, inherited }: Scene): LeaseKey[] {
  return [...view.unsettled()].flatMap(({ task, delivery }) =>
    delivery.state === 'queued'
      ? []
      : Object.entries(task.leases ?? {}).flatMap(([name, lease]) => {
          const stage = name as keyof NonNullable<typeof task.leases>
          const isDead = inherited.has(leaseName(task.id, stage, lease.fence))
          return isDead ? [] : [{ id: task.id, stage, fence: lease.fence }]
        }),
  )
}
