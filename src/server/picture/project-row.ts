import { type Project, readProject, type SprintGoal } from '../../director/project-document.ts'
import type { Store } from '../../store/store.ts'
import type { ProjectRow, Spend } from '../contract.ts'

/** What the server knows of the project besides its cases; it stays as it is while the server runs. */
export interface ProjectFacts {
  readonly name: string
  readonly root: string
  readonly version: string
  readonly target: string
  readonly checks: readonly string[]
  readonly slotsTotal: number
}

export interface ProjectCounts {
  readonly tasks: ProjectRow['tasks']
  readonly slotsUsed: number
  readonly spend: Spend
}

export type WhoDirects = (director: Project['director']) => Promise<ProjectRow['director']>

export async function projectRow(
  store: Pick<Store, 'document'>,
  facts: ProjectFacts,
  counts: ProjectCounts,
  whoDirects: WhoDirects,
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
    quiet:
      project.repairLedBy === null
        ? null
        : { reason: `the environment is being repaired for ${project.repairLedBy}`, until: null },
    sprint: project.sprint && {
      goal: goalText(project.sprint.goal),
      landed: project.sprint.landed,
      tags: project.sprint.tags,
    },
    slots: { used: counts.slotsUsed, total: slotsTotal },
    spend: counts.spend,
    forecastUsd: null,
    director: await whoDirects(project.director),
    tasks: counts.tasks,
  }
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
