import { join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import { thisHost } from '../../platform/host-mark.ts'
import { findProcess } from '../../platform/process/process-table.ts'
import type { Notice } from '../../project/alerts.ts'
import { AlertBook } from '../../project/alerts.ts'
import {
  isDirectorAlive,
  type LockHolder,
  releaseDirectorLock,
  takeDirectorLock,
} from '../../project/director-lock.ts'
import { changeProject, type Project, readProject } from '../../project/document.ts'
import type { TargetProbe } from '../../project/repair-task.ts'
import { spawnAgent } from '../../runs/spawn-agent.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import { emptyTrash } from '../../workspaces/remove-workspace.ts'
import type { Ground } from '../../workspaces/workspace.ts'
import { openRecording } from '../agents/open-recording.ts'
import { Director } from '../director.ts'
import type { Hands } from '../hands.ts'
import { userGitEnvironment } from '../land/remote/user-git-environment.ts'
import type { Rules } from '../snapshot.ts'
import { makeMeans } from './make-means.ts'
import { openHands } from './open-hands.ts'
import { type OpenedWorld, openWorld, type WorldOptions } from './open-world.ts'
import { rulesOf } from './rules-of.ts'

export interface DirectorChoices extends WorldOptions {
  /** Agents at once; the configured number when absent. */
  readonly slots?: number
  readonly nonInteractive: boolean
  /** Whether it keeps running when there is nothing left to do. */
  readonly stays?: boolean
  /** A person confirms that a director on another host, which did not release its lock, has ended. */
  readonly takesOver?: boolean
  /** Changes the project when the director lock is taken: the mode, the sprint, a pause that is over. */
  begin(project: Project): Project
  notify(notice: Notice): void
}

/**
 * A director that holds the director lock, with a whole project around it; disposing it releases the lock.
 */
export interface OpenedDirector extends AsyncDisposable {
  readonly director: Director
  readonly world: OpenedWorld
  readonly rules: Rules
  /** Whether the target is green, where that is not known already. */
  probeTarget(): Promise<TargetProbe>
}

/** Everything that run, demo and serve need to work on a project. */
export async function openDirector(choices: DirectorChoices): Promise<OpenedDirector> {
  const { store, vocabulary } = choices
  const holder = await holderOf(await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'dex'))
  // Before anything of the project is touched: the current holder may be in the middle of a landing.
  await takeDirectorLock(store, holder, choices)
  try {
    return await openLocked(choices, holder)
  } catch (error) {
    await releaseDirectorLock(store, holder)
    throw error
  }
}

async function openLocked(choices: DirectorChoices, holder: LockHolder): Promise<OpenedDirector> {
  const opened = await openWorld({ ...choices, director: holder.id })
  try {
    // Only after everything was opened: a start that fails leaves the project unchanged.
    const project = await changeProject(opened.store, holder.id, (standing) => choices.begin(standing))
    const alerts = new AlertBook(join(opened.root, opened.vocabulary.folder), () => opened.clock.now())
    const recording = await openRecording({
      folder: join(opened.root, opened.vocabulary.folder),
      director: opened.director,
      store: opened.store,
      ground: opened.ground,
      now: () => opened.clock.now(),
      redact: (text) => opened.redact(text),
    })
    const world = { ...opened, driver: recording.wrap(opened.driver) }
    const userEnvironment = userGitEnvironment(choices.environment)
    const hands = await openHands(world, {
      holder: world.director,
      userEnvironment,
      environment: choices.environment,
      isWalled: opened.sandbox.sandboxed,
    })
    if (project.mode === 'autopilot') await hands.checkpoint?.('before autopilot')
    const rules = rulesOf(choices.config, choices)
    const means = makeMeans(world, hands, (notice) => {
      alerts.add(notice)
      choices.notify(notice)
    })
    const director = new Director({ means, rules, stays: choices.stays ?? false })
    world.quotaQueue?.rankBy((task) => director.priorityOf(task))
    return {
      director,
      world,
      rules,
      probeTarget: () => probeUnknown(world, hands),
      async [Symbol.asyncDispose]() {
        await alerts[Symbol.asyncDispose]()
        await recording.close()
        await attemptEmptying(opened.ground)
        await releaseDirectorLock(world.store, holder)
        await world[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Checkouts of reviewers stay in the user's folder until the trash is emptied, and test runners and searches
 * find them there. What cannot be deleted now is deleted at the end of the next run; no work depends on it.
 */
async function attemptEmptying(ground: Ground): Promise<void> {
  try {
    await emptyTrash(ground)
  } catch (error) {
    if (!(error instanceof Failure) && systemCode(error) === '') throw error
  }
}

async function holderOf(id: string): Promise<LockHolder> {
  const born = String((await findProcess(process.pid))?.startTicks ?? '')
  return { id, pid: process.pid, born, host: thisHost(), isAlive: isDirectorAlive }
}

/** Everything that lands is checked; only a target that came from elsewhere has to be probed. */
async function probeUnknown({ store, ground, director }: OpenedWorld, hands: Hands): Promise<TargetProbe> {
  const target = await targetOfRecord(ground.git, ground.integration)
  if ((await readProject(store)).project.provenTarget === target) return { kind: 'green' }
  const probe = await hands.probeTarget()
  if (probe.kind === 'green')
    await changeProject(store, director, (project) => ({ ...project, provenTarget: target }))
  return probe
}
