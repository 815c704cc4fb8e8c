import type { LeaseKey } from '../../store/store.ts'
import type { Desk } from '../context.ts'
import { LEASE_MS } from '../develop/claim-task.ts'
import { showQueue } from '../land/show-queue.ts'
import { leaseName, type Snapshot } from '../snapshot.ts'
import { type Chore, hasPassed, lastRunMs } from './chore.ts'

const NAME = 'renew-leases'
const EVERY_MS = 20_000

/** Extends the leases of this director's agents and tasks; an agent that has lost its lease is stopped. */
export const renewLeases: Chore = {
  name: NAME,
  isDue: (snapshot) => hasPassed(snapshot, NAME, EVERY_MS),
  nextAt: (snapshot) => lastRunMs(snapshot, NAME) + EVERY_MS,
  async run(desk) {
    await showQueue(desk)
    const leases = heldLeases(desk)
    const lost = leases.length === 0 ? [] : await desk.means.store.renew(leases, LEASE_MS)
    for (const lease of lost) stopWithout(desk, lease)
  },
}

/** A developer keeps its claim while its work is reviewed; any other agent keeps its lease while at work. */
function heldLeases(desk: Desk): readonly LeaseKey[] {
  const snapshot = desk.snapshot()
  const working = [...snapshot.atWork.keys()].flatMap((task) => desk.controlOf(task)?.lease ?? [])
  const leases = [...standingLeases(snapshot), ...working]
  return [...new Map(leases.map((lease) => [leaseName(lease.id, lease.stage, lease.fence), lease])).values()]
}

/** An agent stops without its own lease or its task's claim; the lease of an earlier agent is irrelevant. */
function stopWithout(desk: Desk, { id, stage, fence }: LeaseKey): void {
  const control = desk.controlOf(id)
  if (control?.lease?.stage === stage && control.lease.fence === fence) control.loseLease()
  else if (stage === 'develop') control?.stop()
}

function standingLeases({ view, inherited }: Snapshot): LeaseKey[] {
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
