import type { Project, Sprint } from '../../../project/document.ts'
import { parseGoal } from '../../../project/sprint-goal.ts'

export interface RunOptions {
  readonly autopilot?: boolean
  readonly agents?: number
  readonly until?: string
  readonly tag: readonly string[]
  readonly repair?: boolean
  readonly yes?: boolean
  readonly allowUnsandboxed?: boolean
  readonly takeOver?: boolean
}

/**
 * Pauses that outlast the start of a run: they need `axiom resume`, or for a halt `axiom retry` or
 * `override`.
 */
const STAYING: readonly string[] = ['halt', 'tripwire']

/** How starting a run changes the project: its mode, a new sprint, and the end of a pause. */
export function beginProject(
  { until, tag }: RunOptions,
  mode: Project['mode'],
  nowMs: number,
): (project: Project) => Project {
  const sprint: Sprint = {
    goal: parseGoal(until ?? 'no-ready', nowMs),
    tags: [...tag],
    startedAt: new Date(nowMs).toISOString(),
    landed: 0,
  }
  return (project) => {
    const isStaying = project.pause !== null && STAYING.includes(project.pause.cause)
    return {
      ...project,
      mode,
      sprint,
      pause: isStaying ? project.pause : null,
      failuresInRow: isStaying ? project.failuresInRow : 0,
    }
  }
}
