import assert from 'node:assert'
import type { Case, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Metadata } from '../../cases/metadata.ts'
import { type Refusal, refuse } from '../../cases/refusal.ts'
import { decideDelivery } from '../../delivery/decide-delivery.ts'
import { directorEvent } from '../../project/delivery/make-event.ts'
import { CLAIMED_KEY, readEffectiveDelivery } from '../../project/effective-delivery.ts'
import { ASSIGNED_KEY, assignedTo } from '../../project/orders.ts'
import { retryStale, STALE } from '../../project/retry-stale.ts'
import type { Store } from '../../store/store.ts'
import type { Means } from '../context.ts'

export const LEASE_MS = 60_000

export interface Claimed {
  readonly kind: 'claimed'
  readonly task: Case
  readonly fence: number
}

/** Claims a queued task for a developer: the claim and the delivery state change together, or not at all. */
export function claimTask(
  { store, words }: Pick<Means, 'store' | 'words'>,
  id: CaseId,
  agent: string,
): Promise<Claimed | Refusal | { readonly kind: 'not-queued' }> {
  return retryStale(id, async () => {
    const [task] = await store.query({ ids: [id] })
    if (!task) return { kind: 'not-queued' }
    const commands = await claimCommands(store, words, task, agent)
    if (commands === undefined) return heldBy(task) ?? { kind: 'not-queued' }
    const answer = await store.transact({ commands, by: agent, expect: { [id]: task.rev } })
    if (answer.kind === 'stale') return STALE
    if (answer.kind === 'refused') return answer
    return claimedOf(answer.cases, id, 'develop')
  })
}

async function claimCommands(
  store: Store,
  words: Means['words'],
  task: Case,
  agent: string,
): Promise<CaseCommand[] | undefined> {
  const read = readEffectiveDelivery(task)
  if (read.kind === 'unreadable' || read.delivery.state !== 'queued') return undefined
  const now = await store.now()
  const fence = (task.fence ?? 0) + 1
  // Delivery decides on the task as the claim will leave it.
  const claimed: Case = {
    ...task,
    status: 'active',
    leases: { ...task.leases, develop: { holder: agent, fence, expiresAt: now } },
  }
  const occurrence = directorEvent(task.id, 'CLAIMED', `claimed/${fence}`)
  const decision = decideDelivery(
    read.delivery,
    occurrence,
    {
      task: claimed,
      limits: words.limits,
      changedLines: {},
      findings: [],
      experts: [],
      repairLedBy: null,
      checksGreen: true,
      draftParent: null,
      fallback: null,
    },
    now,
  )
  if (decision.kind === 'refused') return undefined
  return [
    { kind: 'claim', id: task.id, stage: 'develop', holder: agent, ttlMs: LEASE_MS },
    ...decision.commands,
    { kind: 'update', id: task.id, metadata: claimMetadata(task, fence), reason: `taken up by ${agent}` },
  ]
}

function heldBy({ id, leases }: Case): Refusal | undefined {
  const lease = leases?.develop
  if (!lease) return undefined
  const message = `${id} is held by ${lease.holder} until ${lease.expiresAt} (develop, fence ${lease.fence})`
  return refuse('AlreadyClaimed', message, 'take another: "axiom case ready" lists what is free')
}

/** Records the claim's fence, and clears a person's assignment, which is now carried out. */
function claimMetadata(task: Case, fence: number): Metadata {
  return { [CLAIMED_KEY]: fence, ...(assignedTo(task) === undefined ? {} : { [ASSIGNED_KEY]: null }) }
}

export function claimedOf(
  cases: readonly Case[],
  id: CaseId,
  stage: keyof NonNullable<Case['leases']>,
): Claimed {
  const task = cases.find((subject) => subject.id === id)
  const fence = task?.leases?.[stage]?.fence
  assert(task && fence !== undefined, `the claim of ${id} tells no fence`)
  return { kind: 'claimed', task, fence }
}
