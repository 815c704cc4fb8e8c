import {
  type DirectorChoices,
  type OpenedDirector,
  openDirector,
} from '../../../director/open/open-director.ts'
import { systemClock } from '../../../platform/clock.ts'
import { Failure } from '../../../platform/failure.ts'
import { changeProject, readProject } from '../../../project/document.ts'
import type { Store } from '../../../store/store.ts'
import { isDirectingWanted } from './is-directing-wanted.ts'
import type { NoticeBoard } from './notice-board.ts'

/** How often to check for work to direct. */
const LOOK_MS = 1_000
/**
 * A failed start, such as a missing agent program, is retried slowly: it needs a repair, and each try costs.
 */
const AGAIN_MS = 15_000

export interface Directing extends AsyncDisposable {
  /** `gently`: running iterations still end by themselves. */
  leave(how: 'gently' | 'now'): void
}

export type DirectingChoices = Omit<DirectorChoices, 'begin' | 'notify' | 'stays' | 'nonInteractive'>

/**
 * Directs the project whenever there is work: autopilot is on, a task is assigned, or work is under way. No
 * separate start is needed. While another process directs, this one only watches.
 */
export function keepDirecting(choices: DirectingChoices, notices: NoticeBoard): Directing {
  const over = new AbortController()
  let seated: OpenedDirector | undefined
  let leaving: 'gently' | 'now' | undefined
  const working = direct()

  async function direct(): Promise<void> {
    while (!over.signal.aborted) {
      const waitMs = await turn().catch((error: unknown) => told(notices, error))
      await systemClock.sleepUntil(systemClock.now() + waitMs, over.signal)
    }
  }

  async function turn(): Promise<number> {
    if (!(await isDirectingWanted(choices.store))) return LOOK_MS
    await using opened = await openDirector({
      ...choices,
      nonInteractive: false,
      stays: true,
      begin: (project) => project,
      // The director records its notices itself, and the server reads them from there.
      notify: () => undefined,
    })
    await holdOnRedTarget(choices.store, opened)
    seated = opened
    try {
      if (leaving !== undefined) return LOOK_MS
      await opened.director.run()
    } finally {
      seated = undefined
    }
    return LOOK_MS
  }

  return {
    leave: (how) => {
      leaving = how
      over.abort()
      seated?.director.leave(how)
    },
    async [Symbol.asyncDispose]() {
      if (leaving === undefined) {
        leaving = 'now'
        over.abort()
        seated?.director.leave('now')
      }
      await working
    },
  }
}

/**
 * A check that fails before the first change fails after each change: autopilot does not start on a red
 * target.
 */
async function holdOnRedTarget(store: Store, { probeTarget, world }: OpenedDirector): Promise<void> {
  const { project } = await readProject(store)
  if (project.mode !== 'autopilot') return
  const probe = await probeTarget()
  if (probe.kind !== 'red') return
  const at = await store.now()
  const reason = `the required checks are red on the target (${probe.commit}) before any work`
  await changeProject(store, world.director, (current) => ({
    ...current,
    pause: current.pause ?? { cause: 'red-target', by: world.director, reason, at },
  }))
}

/** Shows the failure and returns the delay before the next try, long enough for a repair. */
function told(notices: NoticeBoard, error: unknown): number {
  if (error instanceof Failure && error.code === 'DIRECTOR_RUNNING') return LOOK_MS
  const known = error instanceof Failure
  notices.add(
    {
      code: known ? error.code : 'BUG',
      severity: 'high',
      message: error instanceof Error ? error.message : String(error),
    },
    known ? error.hint : 'this is a defect of AXIOM; please report it',
  )
  return AGAIN_MS
}
