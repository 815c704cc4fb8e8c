import type { Actor } from '../../cases/case.ts'
import type { Store } from '../../store/store.ts'
import { changeProject, type Pause, type Project } from '../document.ts'
import { type Refused, refuse } from './outcome.ts'

export interface PauseChanged {
  readonly kind: 'paused' | 'resumed'
  /** False when it was already in that state. */
  readonly changed: boolean
  /** What pauses the project, or paused it until now. */
  readonly pause: Pause | null
}

const REASON_CHARACTERS_MAX = 1_000

/** No new work starts, and agents rest at the end of their iteration, until a person resumes. */
export async function pauseProject(store: Store, by: Actor, reason?: string): Promise<PauseChanged> {
  const at = await store.now()
  const pause: Pause = {
    cause: 'person',
    by,
    reason: (reason ?? 'paused by a person').slice(0, REASON_CHARACTERS_MAX),
    at,
  }
  let changed = false
  const after = await changeProject(store, by, (project) => {
    // A pause with its own cause stays: a person who resumes has to know of it.
    changed = project.pause === null
    return changed ? { ...project, pause } : undefined
  })
  return { kind: 'paused', changed, pause: after.pause }
}

/** Work continues. The count of failures restarts at 0, or the next failure would pause the project again. */
export async function resumeProject(store: Store, by: Actor): Promise<PauseChanged | Refused> {
  let before: Project['pause'] = null
  let isHalted: string | null = null
  await changeProject(store, by, (project) => {
    before = project.pause
    isHalted = project.pause?.cause === 'halt' ? (project.repairLedBy ?? 'the task') : null
    if (project.pause === null || isHalted !== null) return undefined
    return { ...project, pause: null, failuresInRow: 0 }
  })
  if (isHalted !== null)
    return refuse(
      'PROJECT_HALTED',
      `the project is halted: its environment is broken, and the repair for ${isHalted} was given up`,
      `try the repair again, or go on without it: axiom retry ${isHalted}, axiom override ${isHalted}`,
    )
  return { kind: 'resumed', changed: before !== null, pause: before }
}
