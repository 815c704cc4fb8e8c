import { randomUUID } from 'node:crypto'
import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { allowsPerson } from '../../delivery/delivery-table.ts'
import { BUDGET_KEY } from '../../health/budgets/budget.ts'
import { budgetStanding, describeUse, type Use } from '../../health/budgets/budget-standing.ts'
import { PARKED_KEY } from '../../health/budgets/park-case.ts'
import { SpendIndex } from '../../health/budgets/spend-index.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { applyEvent } from '../delivery/apply-event.ts'
import type { PersonEventContext } from '../delivery/event-context.ts'
import { personEvent } from '../delivery/make-event.ts'
import { type Refused, refuse } from './outcome.ts'

export interface Overridden {
  readonly kind: 'overridden'
  readonly id: CaseId
  /** What no longer holds the case. */
  readonly what: 'repair' | 'budget'
}

/** A person takes responsibility: work continues despite a repair that was given up, or a spent budget. */
export async function overrideCase(
  store: Store,
  world: PersonEventContext,
  by: Actor,
  id: CaseId,
  reason?: string,
): Promise<Overridden | Refused> {
  const [subject] = await store.query({ ids: [id] })
  if (!subject)
    return refuse('NotFound', `there is no case ${id}`, '"axiom case list" shows the cases there are')
  const read = readDelivery(subject)
  if (subject.type === 'task' && read.kind === 'read' && allowsPerson(read.delivery.state, 'OVERRIDE')) {
    const occurrence = personEvent(id, 'OVERRIDE', {
      id: randomUUID(),
      by,
      ...(reason === undefined ? {} : { text: reason }),
    })
    const answer = await applyEvent(store, world, { about: id, occurrence })
    if (answer.kind === 'moved') return { kind: 'overridden', id, what: 'repair' }
  }
  const spent = await spentUse(store, world.budgets, subject)
  if (typeof subject.metadata[PARKED_KEY] === 'object' || spent?.id === id) {
    const answer = await store.transact({
      commands: liftCommands(subject, reason),
      by,
      expect: { [id]: subject.rev },
    })
    if (answer.kind === 'committed') return { kind: 'overridden', id, what: 'budget' }
    return refuse('STORE_BUSY', `${id} was changed at the same moment`, 'try again')
  }
  if (spent) {
    return refuse(
      'NOTHING_TO_OVERRIDE',
      `${describeUse(spent)}, and that holds ${id}`,
      `"axiom override ${spent.id}" lets everything below it go on`,
    )
  }
  return refuse(
    'NOTHING_TO_OVERRIDE',
    `nothing holds ${id} that a person could override`,
    'a repair that was given up and a budget that is spent can be; "axiom case show" says what a case waits for',
  )
}

/**
 * The spent budget that blocks a case, its own or that of a case above it. The director parks a case only
 * between two runs, so a person may act before it does.
 */
async function spentUse(
  store: Store,
  budgets: PersonEventContext['budgets'],
  { id, status, deletedAt }: CaseRecord,
): Promise<Use | undefined> {
  if (status === 'done' || deletedAt !== undefined) return undefined
  const standing = budgetStanding(SpendIndex.of(await store.query({ deleted: true })), budgets, id)
  return standing.kind === 'hard' ? standing.use : undefined
}

/** Lets work continue over the budget of a case, whether it was parked for it or not. */
export function liftCommands(
  { id, status: held, metadata }: CaseRecord,
  reason = 'its budget was lifted',
): CaseCommand[] {
  const budget = { ...(metadata[BUDGET_KEY] as object | undefined), lifted: true }
  const parked = metadata[PARKED_KEY] as { readonly was?: unknown } | undefined
  const was = (['active', 'pending'] as const).find((status) => status === parked?.was)
  return [
    { kind: 'update', id, metadata: { [BUDGET_KEY]: budget, [PARKED_KEY]: null }, reason },
    ...(was && held === 'blocked' ? [{ kind: 'move' as const, id, status: was, reason }] : []),
  ]
}
