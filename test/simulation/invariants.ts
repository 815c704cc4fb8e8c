import { readDelivery } from '../../src/delivery/delivery-state.ts'
import { statusOf } from '../../src/delivery/delivery-traits.ts'
import type { Rules } from '../../src/director/snapshot.ts'
import { readSpend } from '../../src/health/budgets/spend.ts'
import { readEffectiveDelivery } from '../../src/project/effective-delivery.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import type { SimulatedGit } from './simulated-git.ts'

export interface Moment {
  readonly tasks: readonly CaseRecord[]
  /** What was put off, and what was deleted: nobody works on it, and it is still there. */
  readonly aside?: readonly CaseRecord[]
  /** The task that leads the repair of the environment, for which all others wait. */
  readonly repairLedBy?: string | null
  readonly git: SimulatedGit
  readonly slots: ReadonlyMap<number, string>
  readonly rules: Rules
}

/** What must be so whenever one looks. */
export function expectMoment({ tasks, git, slots, rules }: Moment): void {
  if (slots.size > rules.slots) fail(`${slots.size} agents in ${rules.slots} slots`)
  for (const slot of slots.keys()) if (slot < 0 || slot >= rules.slots) fail(`there is no slot ${slot}`)
  for (const task of git.trespassers()) fail(`${task} landed after its claim was gone`)
  const landed = ownLandings(tasks, git)
  for (const task of tasks) {
    const read = readDelivery(task)
    if (read.kind === 'unreadable') fail(`${task.id}: ${read.reason}`)
    if ((landed.get(task.id) ?? 0) > 1) fail(`${task.id} landed ${landed.get(task.id)} times`)
    if (isOverspent(task, rules)) fail(`${task.id} had ${runsOf(task)} runs of ${rules.budgets.task.runs}`)
    if (task.status === 'done' && landed.get(task.id) !== 1) fail(`${task.id} is done and on no target`)
  }
}

/** What must be so when everybody has gone home. */
export function expectEnd(moment: Moment): void {
  const { tasks, git, slots, rules } = moment
  expectMoment(moment)
  expectAllThere(moment)
  if (slots.size > 0) fail(`agents are left: ${[...slots.values()].join(', ')}`)
  const landed = ownLandings(tasks, git)
  const leader = tasks.find(({ id }) => id === moment.repairLedBy)
  // A repair is at the cost of the task that met the fault; when that has no budget left, everybody waits for a person.
  const isRepairHeld = leader !== undefined && isPressed(leader, rules)
  for (const task of tasks) {
    const { id, status, leases } = task
    // It waits, with all it has, for somebody to raise its budget.
    if (isPressed(task, rules) && status !== 'done') continue
    if (leases !== undefined && Object.keys(leases).length > 0) fail(`${id} (${status}) is still held`)
    const read = readEffectiveDelivery(task)
    if (read.kind === 'read' && statusOf(read.delivery.state, read.delivery.resume) !== status)
      fail(`${id} is ${status}, but its delivery is ${read.delivery.state}`)
    if (landed.get(id) === 1 && status !== 'done') fail(`${id} is on the target, but ${status}`)
    if (status === 'done' || status === 'failed' || status === 'timeout') continue
    if (!isHeldUp(task, tasks) && !isRepairHeld)
      fail(`${id} is lost: ${status}, ${read.kind === 'read' ? read.delivery.state : read.reason}`)
  }
}

/** Every number that was ever given to a task has its task, in work or aside; what is aside holds nothing. */
function expectAllThere({ tasks, aside = [] }: Moment): void {
  const ids = [...tasks, ...aside].map(({ id }) => id).toSorted()
  const expected = ids.map((_, i) => `task-${String(i + 1).padStart(3, '0')}`)
  if (ids.join() !== expected.join()) fail(`of ${ids.length} tasks there are ${ids.join(', ')}`)
  for (const { id, type, status, leases, deletedAt } of aside) {
    if (leases !== undefined && Object.keys(leases).length > 0) fail(`${id} is aside and still held`)
    if (deletedAt === undefined && (type !== 'deferred' || status === 'active'))
      fail(`${id} is ${type}, ${status}`)
  }
}

function runsOf({ metadata }: CaseRecord): number {
  return readSpend(metadata).runs
}

/** A budget may be exceeded by the turn that the agent at work is in. */
function isOverspent(task: CaseRecord, { budgets }: Rules): boolean {
  const { runs: limit } = budgets.task
  return limit !== undefined && runsOf(task) > limit + 1
}

/** From this share on nothing new starts for it. */
function isPressed(task: CaseRecord, { budgets }: Rules): boolean {
  const { runs: limit } = budgets.task
  return limit !== undefined && runsOf(task) * 100 >= limit * budgets.softPercent
}

/** A task that depends on one that failed for good, or was put off, cannot be begun. */
function isHeldUp(task: CaseRecord, tasks: readonly CaseRecord[]): boolean {
  if (task.status !== 'pending') return false
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id))
  return task.dependsOn?.some((id) => !done.has(id)) ?? false
}

/** Commits of the target by task; a repair that a task led is not its own work. */
function ownLandings(tasks: readonly CaseRecord[], git: SimulatedGit): Map<string, number> {
  const counts = new Map<string, number>()
  const repairs = git.repairs
  for (const { task, source } of git.target) {
    if (!repairs.has(source)) counts.set(task, (counts.get(task) ?? 0) + 1)
  }
  return new Map(tasks.map(({ id }) => [id, counts.get(id) ?? 0]))
}

function fail(message: string): never {
  throw new Error(`An invariant is broken: ${message}`)
}
