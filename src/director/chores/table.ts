import { isFree, type Snapshot } from '../snapshot.ts'
import { askRepairBudget } from './ask-repair-budget.ts'
import { type Chore, lastRunMs, NEVER_AGAIN_MS } from './chore.ts'
import { cleanWorkspaces } from './clean-workspaces.ts'
import { findLanded } from './find-landed.ts'
import { forecastConflicts } from './forecast-conflicts.ts'
import { guardRepository } from './guard-repository.ts'
import { measureHealth } from './measure-health.ts'
import { publish } from './publish.ts'
import { renewLeases } from './renew-leases.ts'
import { takeIn } from './take-in.ts'
import { writeSpecProgress } from './write-spec-progress.ts'

/** In the order in which they start when several are due. */
export const CHORES: readonly Chore[] = [
  findLanded,
  renewLeases,
  takeIn,
  forecastConflicts,
  publish,
  cleanWorkspaces,
  writeSpecProgress,
  guardRepository,
  askRepairBudget,
  measureHealth,
]

export function chooseChores(snapshot: Snapshot): Chore[] {
  return CHORES.filter(
    (chore) =>
      isFree(snapshot, chore.name) &&
      lastRunMs(snapshot, chore.name) !== NEVER_AGAIN_MS &&
      chore.isDue(snapshot),
  )
}

export function* choreDeadlines(snapshot: Snapshot): Generator<number> {
  for (const chore of CHORES) yield chore.nextAt?.(snapshot) ?? 0
}

export function choreNamed(name: string): Chore | undefined {
  return CHORES.find((chore) => chore.name === name)
}
