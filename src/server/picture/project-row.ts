import type { Forecast } from '../../health/budgets/forecast.ts'
import { afterQuiet, isQuiet, type QuietHours } from '../../health/sleep/quiet-hours.ts'
import { type Project, readProject, type SprintGoal } from '../../project/document.ts'
import type { Store } from '../../store/store.ts'
import type { LiveRow, ProjectRow, Spend } from '../contract.ts'

const MICRO_PER_DOLLAR = 1_000_000

/** Facts about the project besides its cases; constant while the server runs. */
export interface ProjectFacts {
  readonly name: string
  readonly root: string
  readonly version: string
  readonly target: string
  readonly checks: readonly string[]
  readonly slotsTotal: number
  readonly quietHours: QuietHours
}

export interface ProjectCounts {
  readonly tasks: ProjectRow['tasks']
  readonly slotsUsed: number
  readonly spend: Spend
  readonly forecast: Forecast
  /** What each waiting agent waits for. */
  readonly waits: readonly NonNullable<LiveRow['waiting']>[]
}

export type WhoDirects = (director: Project['director']) => Promise<ProjectRow['director']>

export async function projectRow(
  store: Pick<Store, 'document'>,
  facts: ProjectFacts,
  counts: ProjectCounts,
  whoDirects: WhoDirects,
  nowMs: number,
): Promise<ProjectRow> {
  const { project } = await readProject(store)
  const { name, root, version, target, checks, slotsTotal } = facts
  return {
    name,
    root,
    version,
    target,
    checks,
    phase: counts.tasks.total === 0 ? 'planning' : 'implementation',
    mode: project.mode,
    paused: project.pause,
    quiet: quietOf(project, facts.quietHours, counts, nowMs),
    sprint: project.sprint && {
      goal: goalText(project.sprint.goal),
      landed: project.sprint.landed,
      tags: project.sprint.tags,
    },
    slots: { used: counts.slotsUsed, total: slotsTotal },
    spend: counts.spend,
    forecastUsd: counts.forecast.isPriced ? counts.forecast.total.microUsd / MICRO_PER_DOLLAR : null,
    director: await whoDirects(project.director),
    tasks: counts.tasks,
  }
}

/**
 * Why no new work starts although the project is not paused: quiet hours, a repair, or all agents wait for a
 * provider.
 */
export function quietOf(
  { repairLedBy }: Pick<Project, 'repairLedBy'>,
  hours: QuietHours,
  { slotsUsed, waits }: Pick<ProjectCounts, 'slotsUsed' | 'waits'>,
  nowMs: number,
): ProjectRow['quiet'] {
  if (repairLedBy !== null)
    return { reason: `the environment is being repaired for ${repairLedBy}`, until: null }
  if (isQuiet(nowMs, hours))
    return {
      reason: `quiet hours, from ${hours.from} to ${hours.to}`,
      until: instantOf(afterQuiet(nowMs, hours)),
    }
  const [first, ...others] = waits.toSorted((a, b) => a.untilMs - b.untilMs)
  if (!first || slotsUsed > 0) return null
  const who = others.length === 0 ? 'the agent at work waits' : `all ${waits.length} agents at work wait`
  return { reason: `${who}: ${first.reason}`, until: instantOf(first.untilMs) }
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString()
}

function goalText(goal: SprintGoal): string {
  switch (goal.kind) {
    case 'no-ready':
      return 'until nothing is left to do'
    case 'count':
      return `until ${goal.landings} tasks have landed`
    case 'time':
      return `until ${goal.until}`
  }
}
