import {
  type Case,
  type CaseId,
  dependenciesOf,
  isDone,
  type Lease,
  type Stage,
  type Status,
} from '../case.ts'
import { withArticle } from '../case-types.ts'
import {
  accept,
  type Change,
  type CommandOf,
  type Decision,
  entryOf,
  type Occasion,
  revise,
} from '../change.ts'
import { isOpenTask } from '../readiness.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { movesFrom, statusesOf } from '../statuses.ts'
import { ancestorsOf, type CaseView } from '../view.ts'
import { findLive, isRefusal, staleFence } from './find.ts'

/** A longer chain tells the reader nothing more. */
const CHAIN_MAX = 20

export function decideMove(view: CaseView, command: CommandOf<'move'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const refusal = staleFence(before, command.fence) ?? moveFault(before, command.status)
  if (refusal) return refusal
  if (command.status === 'done') {
    const open = openWork(view, before)
    if (open) return open
  }
  return accept(moveTo(before, command.status, command.reason, occasion))
}

export function moveFault(before: Case, to: Status): Refusal | undefined {
  if (!statusesOf(before.type).includes(to)) {
    return refuse(
      'InvalidStatus',
      `${withArticle(before.type)} cannot be ${to}`,
      `${withArticle(before.type)} can be: ${statusesOf(before.type).join(', ')}`,
    )
  }
  const allowed = movesFrom(before.type, before.status)
  if (allowed.includes(to)) return undefined
  return refuse(
    'InvalidStatus',
    `${before.id} is ${before.status} and cannot become ${to}`,
    allowed.length > 0 ? `it can become: ${allowed.join(', ')}` : `${before.status} is final`,
  )
}

/** Applies the move. Leaving the working states releases their leases. */
export function moveTo(before: Case, status: Status, reason: string, occasion: Occasion): Change {
  const after = revise(before, occasion, { status, leases: leasesAfter(before, status) })
  const entry = entryOf(occasion, 'status_change', reason, {
    from: { status: before.status },
    to: { status },
  })
  return { after, entries: [entry] }
}

/** A developer keeps the claim through review and rework; every other end of work frees it. */
function leasesAfter(before: Case, status: Status): Partial<Record<Stage, Lease>> | undefined {
  if (before.type !== 'task' || status === 'active' || status === 'review') return before.leases
  return undefined
}

export function decideComplete(view: CaseView, command: CommandOf<'complete'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const stale = staleFence(before, command.fence)
  if (stale) return stale
  if (before.status !== 'pending' && before.status !== 'active') {
    return refuse(
      'InvalidStatus',
      `${before.id} is ${before.status}; only what is pending or active can be completed by hand`,
      `it can become: ${movesFrom(before.type, before.status).join(', ') || `nothing, ${before.status} is final`}`,
    )
  }
  if (before.type === 'discovery' || before.type === 'deferred') {
    return refuse(
      'InvalidStatus',
      `${withArticle(before.type)} is not completed`,
      'take it up again first, or leave it as it is',
    )
  }
  const open = openWork(view, before)
  if (open) return open
  return accept(completion(before, command.result, occasion))
}

/** Completion by hand skips the steps in between, yet every move of the table is in the history. */
function completion(before: Case, result: string | undefined, occasion: Occasion): Change {
  const reason = result ?? 'completed by hand'
  const started = before.status === 'active' ? undefined : moveTo(before, 'active', reason, occasion)
  const ended = moveTo(started?.after ?? before, 'done', reason, occasion)
  const metadata = before.type === 'task' ? { ...before.metadata, completedManually: true } : before.metadata
  return { after: { ...ended.after, metadata }, entries: [...(started?.entries ?? []), ...ended.entries] }
}

/** The refusal that names the work still open before this case can be done. */
function openWork(view: CaseView, subject: Case): Refusal | undefined {
  const waits = [subject, ...ancestorsOf(view, subject)].flatMap((holder) =>
    dependenciesOf(holder)
      .filter((id) => !isDone(view.get(id)))
      .map((id) => [holder.id, ...openChain(view, id)].join(' → ')),
  )
  if (waits.length > 0) {
    return refuse(
      'InvalidStatus',
      `${subject.id} cannot be done: open dependencies ${waits.join(', ')}`,
      'complete those first, or remove the dependency: "axiom case undepend"',
    )
  }
  if (subject.type !== 'operation' || view.openTasks(subject.id) === 0) return undefined
  const tasks = view.children(subject.id).filter((id) => isOpenTask(view.get(id)))
  return refuse(
    'InvalidStatus',
    `${subject.id} cannot be done: open tasks ${tasks.slice(0, 20).join(', ')}`,
    'an operation is done when each of its tasks is done or deferred',
  )
}

/** From an open case along its first open dependencies, down to one that can be worked on. */
function openChain(view: CaseView, first: CaseId): CaseId[] {
  const chain: CaseId[] = []
  for (let at: CaseId | undefined = first; at !== undefined && chain.length < CHAIN_MAX; ) {
    chain.push(at)
    const subject: Case | undefined = view.get(at)
    at = subject && dependenciesOf(subject).find((id) => !isDone(view.get(id)) && !chain.includes(id))
  }
  return chain
}

/** A rollback may take a case back to any status of its type. */
export function decideRestore(view: CaseView, command: CommandOf<'restore'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  if (!statusesOf(before.type).includes(command.status)) {
    return refuse(
      'InvalidStatus',
      `${withArticle(before.type)} cannot be ${command.status}`,
      `${withArticle(before.type)} can be: ${statusesOf(before.type).join(', ')}`,
    )
  }
  return accept(moveTo(before, command.status, command.reason, occasion))
}
