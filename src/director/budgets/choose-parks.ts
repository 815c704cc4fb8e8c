import type { CaseId } from '../../cases/case.ts'
import { budgetStanding, type Standing } from '../../health/budgets/budget-standing.ts'
import { parkCommands } from '../../health/budgets/park-case.ts'
import type { Park } from '../effect.ts'
import { instantOf, isFree, type Snapshot } from '../snapshot.ts'

/** How a task stands against every budget that applies to it; without any budget nothing is computed. */
export function standingOf({ view, rules }: Pick<Snapshot, 'view' | 'rules'>, id: CaseId): Standing {
  if (!view.spend.isLimited(rules.budgets)) return { kind: 'within', nearest: undefined }
  return budgetStanding(view.spend, rules.budgets, id)
}

/** The cases whose budget is newly low or newly spent, or is neither any longer. */
export function chooseParks(snapshot: Snapshot): Park[] {
  const { view, rules } = snapshot
  const isLimited = view.spend.isLimited(rules.budgets)
  if (!isLimited && view.budgeted.size === 0) return []
  const concerned = new Set<CaseId>(view.budgeted)
  for (const id of isLimited ? tasksIn(snapshot) : []) {
    const standing = standingOf(snapshot, id)
    if (standing.kind !== 'within') concerned.add(standing.use.id)
  }
  return [...concerned]
    .filter((id) => isFree(snapshot, `park/${id}`) && hasToChange(snapshot, id))
    .map((id) => ({ kind: 'park', id }))
}

function* tasksIn({ view }: Snapshot): Generator<CaseId> {
  yield* view.ready()
  for (const { task } of view.unsettled()) yield task.id
}

function hasToChange(snapshot: Snapshot, id: CaseId): boolean {
  const subject = snapshot.view.get(id)
  if (!subject) return false
  return parkCommands(subject, snapshot.view.spend, snapshot.rules.budgets, instantOf(snapshot)).length > 0
}
