import type { Case, Instant, Lease, Stage } from '../case.ts'
import { withArticle } from '../case-types.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion, revise } from '../change.ts'
import { taskMetadata } from '../metadata.ts'
import { describeHolds, holdsOf } from '../readiness.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { statusesOf } from '../statuses.ts'
import type { CaseView } from '../view.ts'
import { findLive, isRefusal, staleFence } from './find.ts'
import { moveTo } from './status.ts'
import { withExecution } from './update.ts'

const TTL_MS_MIN = 1
export const TTL_MS_MAX = 24 * 60 * 60 * 1000

type Claim = CommandOf<'claim'>

/** Of any number of claimers of one stage of one case exactly one wins; a lease that ran out is no longer held. */
export function decideClaim(view: CaseView, command: Claim, occasion: Occasion): Decision {
  const found = findLive(view, command.id)
  if (isRefusal(found)) return found
  if (!(command.ttlMs >= TTL_MS_MIN && command.ttlMs <= TTL_MS_MAX)) {
    return refuse('InvalidValue', `a lease cannot last ${command.ttlMs} ms`, 'between 1 ms and 24 h')
  }
  if (command.holder.trim() === '') {
    return refuse('MissingRequired', 'a claim needs its holder', 'name who takes it: --agent A')
  }
  const held = heldFault(view, found, command, occasion.now)
  if (held) return held
  const before = found.leases?.[command.stage] ? lapse(found, command.stage, occasion) : found
  const refusal = stageFault(view, found, before, command)
  if (refusal) return refusal

  const fence = (before.fence ?? 0) + 1
  const lease: Lease = { holder: command.holder, fence, expiresAt: later(occasion.now, command.ttlMs) }
  const after = revise(before, occasion, {
    ...(command.stage === 'develop'
      ? { status: 'active', metadata: assigned(before, command.holder, occasion) }
      : {}),
    fence,
    leases: { ...before.leases, [command.stage]: lease },
  })
  const reason = `claimed by ${command.holder} to ${command.stage} (fence ${fence})`
  const lapsed = before === found ? [] : [lapseEntry(found, command.stage, occasion)]
  const entry =
    command.stage === 'develop'
      ? entryOf(occasion, 'status_change', reason, {
          from: { status: before.status },
          to: { status: 'active' },
        })
      : entryOf(occasion, 'update', reason)
  return accept({ after, entries: [...lapsed, entry] })
}

function heldFault(view: CaseView, subject: Case, command: Claim, now: Instant): Refusal | undefined {
  const lease = subject.leases?.[command.stage]
  if (!lease || isExpired(view, subject, command.stage, lease, now)) return undefined
  const until = expiryOf(view, subject, command.stage, lease)
  return refuse(
    'AlreadyClaimed',
    `${subject.id} is held by ${lease.holder} until ${until} (${command.stage}, fence ${lease.fence})`,
    'take another: "axiom case ready" lists what is free',
  )
}

/** Development requires a ready task; the other stages work on what exists already. */
function stageFault(view: CaseView, found: Case, before: Case, { stage }: Claim): Refusal | undefined {
  if (stage !== 'develop') {
    if (stage === 'plan' || stage === 'remediate') return undefined
    if (found.type === 'task' && found.status === 'review') return undefined
    return refuse(
      'InvalidStatus',
      `${found.id} is ${found.type === 'task' ? found.status : `${withArticle(found.type)}`}; only a task in review can be held to ${stage}`,
      'it comes to review when its developer is done',
    )
  }
  if (view.isReady(found.id)) return undefined
  const holds = holdsOf(view, before)
  if (holds.length === 0) return undefined
  return refuse(
    'InvalidStatus',
    `${found.id} cannot be claimed: ${describeHolds(view, before, holds)}`,
    '"axiom case ready" lists what can be claimed',
  )
}

function assigned(before: Case, holder: string, occasion: Occasion): Case['metadata'] {
  const { execution } = taskMetadata(before.metadata)
  const started = execution?.startedAt ?? occasion.now
  return { ...withExecution(before, { startedAt: started }), assignee: holder }
}

/** The case after its holder's lease lapsed: pending again, with one more attempt counted. */
function lapse(found: Case, stage: Stage, occasion: Occasion): Case {
  const leases = without(found, stage)
  if (stage !== 'develop' || found.status !== 'active') return revise(found, occasion, { leases })
  const retryCount = (taskMetadata(found.metadata).execution?.retryCount ?? 0) + 1
  const metadata = { ...withExecution(found, { retryCount }), assignee: null }
  return revise(found, occasion, { status: 'pending', leases, metadata })
}

function lapseEntry(found: Case, stage: Stage, occasion: Occasion): ReturnType<typeof entryOf> {
  const lease = found.leases?.[stage]
  const reason = `the lease of ${lease?.holder} ended at ${lease?.expiresAt} (${stage}, fence ${lease?.fence})`
  if (stage !== 'develop' || found.status !== 'active') return entryOf(occasion, 'update', reason)
  return entryOf(occasion, 'status_change', reason, { from: { status: 'active' }, to: { status: 'pending' } })
}

export function decideRelease(view: CaseView, command: CommandOf<'release'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const lease = before.leases?.[command.stage]
  if (!lease) {
    if (command.fence !== undefined && command.fence <= (before.fence ?? 0)) {
      return staleFence(before, command.fence) ?? notClaimed(before, command.stage)
    }
    return notClaimed(before, command.stage)
  }
  if (command.fence !== undefined && command.fence !== lease.fence) {
    return refuse(
      'StaleClaim',
      `${before.id} is held by ${lease.holder} under fence ${lease.fence}, not ${command.fence}`,
      'only the current holder can release it; a person can without --fence',
    )
  }
  const reason = command.reason ?? `released by ${occasion.by} (fence ${lease.fence})`
  const freed = revise(before, occasion, { leases: without(before, command.stage) })
  if (command.stage !== 'develop' || before.status !== 'active') {
    return accept({ after: freed, entries: [entryOf(occasion, 'update', reason)] })
  }
  const moved = moveTo(freed, 'pending', reason, occasion)
  return accept({
    ...moved,
    after: { ...moved.after, metadata: { ...moved.after.metadata, assignee: null } },
  })
}

function notClaimed(subject: Case, stage: Stage): Refusal {
  return refuse(
    'NotClaimed',
    `nobody holds ${subject.id} (${stage})`,
    `claim it: "axiom case claim ${subject.id} --agent A"`,
  )
}

export function decideRecover(view: CaseView, command: CommandOf<'recover'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const lease = before.leases?.develop
  if (before.type !== 'task' || before.status !== 'active') {
    return refuse(
      'InvalidStatus',
      `${before.id} is ${before.status}; only an active task is recovered`,
      `${withArticle(before.type)} can be: ${statusesOf(before.type).join(', ')}`,
    )
  }
  if (lease && command.holderDead !== true && !isExpired(view, before, 'develop', lease, occasion.now)) {
    return refuse(
      'AlreadyClaimed',
      `${before.id} is held by ${lease.holder} until ${expiryOf(view, before, 'develop', lease)}`,
      'wait for the lease to end, or stop its holder',
    )
  }
  const retryCount = (taskMetadata(before.metadata).execution?.retryCount ?? 0) + 1
  const moved = moveTo(before, 'pending', command.reason, occasion)
  const metadata = { ...withExecution(before, { retryCount }), assignee: null }
  return accept({ ...moved, after: { ...moved.after, metadata } })
}

function without(subject: Case, stage: Stage): Case['leases'] | undefined {
  const { [stage]: _, ...rest } = subject.leases ?? {}
  return Object.keys(rest).length > 0 ? rest : undefined
}

export function expiryOf(view: CaseView, subject: Case, stage: Stage, lease: Lease): Instant {
  const renewed = view.renewedUntil(subject.id, stage, lease.fence)
  return renewed !== undefined && renewed > lease.expiresAt ? renewed : lease.expiresAt
}

function isExpired(view: CaseView, subject: Case, stage: Stage, lease: Lease, now: Instant): boolean {
  return expiryOf(view, subject, stage, lease) <= now
}

export function later(now: Instant, ms: number): Instant {
  return new Date(Date.parse(now) + ms).toISOString()
}
