import type { CaseId } from '../cases/case.ts'
import { budgetStanding, type Standing } from '../health/budgets/budget-standing.ts'
import { parkCommands } from '../health/budgets/park-case.ts'
import type { Park } from './effects.ts'
import { instantOf, isFree, type Scene } from './scene.ts'

/** How a task stands with all budgets that concern it; where nobody set one, nothing is looked at. */
export function standingOf({ view, rules }: Pick<Scene, 'view' | 'rules'>, id: CaseId): Standing {
  if (!view.spend.isLimited(rules.budgets)) return { kind: 'within', nearest: undefined }
  return budgetStanding(view.spend, rules.budgets, id)
}

/** The cases whose budget is newly pressed, newly spent, or no longer either. */
export function chooseParks(scene: Scene): Park[] {
  const { view, rules } = scene
  const isLimited = view.spend.isLimited(rules.budgets)
  if (!isLimited && view.budgeted.size === 0) return []
  const concerned = new Set<CaseId>(view.budgeted)
  for (const id of isLimited ? tasksIn(scene) : []) {
    const standing = standingOf(scene, id)
    if (standing.kind !== 'within') concerned.add(standing.use.id)
  }
  return [...concerned]
    .filter((id) => isFree(scene, `park/${id}`) && hasToChange(scene, id))
    .map((id) => ({ kind: 'park', id }))
}

function* tasksIn({ view }: Scene): Generator<CaseId> {
  yield* view.ready()
  for (const { task } of view.unsettled()) yield task.id
}

function hasToChange(scene: Scene, id: CaseId): boolean {
  const subject = scene.view.get(id)
  if (!subject) return false
  return parkCommands(subject, scene.view.spend, scene.rules.budgets, instantOf(scene)).length > 0
}
