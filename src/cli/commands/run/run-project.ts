import type { Config } from '../../../config/schema.ts'
import { type OpenedDirector, openDirector } from '../../../director/open/open-director.ts'
import { Failure } from '../../../platform/failure.ts'
import { type Project, readProject } from '../../../project/document.ts'
import { assignTask } from '../../../project/interventions/assign-task.ts'
import { isRefused } from '../../../project/interventions/outcome.ts'
import { makeRepairTask } from '../../../project/repair-task.ts'
import { parseGoal } from '../../../project/sprint-goal.ts'
import type { Store } from '../../../store/store.ts'
import { createAsker } from '../../ask.ts'
import { BUILT } from '../../built.ts'
import type { Context } from '../../context.ts'
import { EXIT } from '../../exit-code.ts'
import { loadConfig } from '../../load-config.ts'
import { type Project as Place, withStore } from '../../project.ts'
import { jsonText } from '../../render/json-text.ts'
import { estimateRun, showEstimate } from './estimate-run.ts'
import { leaveOnInterrupt } from './leave-on-interrupt.ts'
import { beginProject, type RunOptions } from './run-options.ts'
import { showEvents, showNotice } from './show-events.ts'
import { exitCodeOf, summariseRun } from './summarise-run.ts'

export function runProject(context: Context, options: RunOptions): Promise<void> {
  return withStore(context, 'run', (store, place) => work(context, options, store, place))
}

async function work(context: Context, options: RunOptions, store: Store, place: Place): Promise<void> {
  const { config, warnings } = await loadConfig(place.folder, { env: context.env })
  for (const warning of warnings) context.err(warning)
  const isAlone = !context.interactive || config.nonInteractive
  const mode = await modeFor(context, options, store, { config, isAlone })
  if (mode === undefined) return context.exit(EXIT.interrupted)
  if (config.verification.length === 0) context.warn(UNVERIFIED)
  await using seated = await openDirector({
    root: place.root,
    vocabulary: place.vocabulary,
    config,
    store,
    environment: context.env,
    built: BUILT,
    allowUnsandboxed: options.allowUnsandboxed === true,
    takesOver: options.takeOver === true,
    nonInteractive: isAlone,
    ...(options.agents === undefined ? {} : { slots: options.agents }),
    begin: beginProject(options, mode, Date.now()),
    notify: (notice) => showNotice(context, notice),
  })
  if (mode === 'autopilot') await requireGreenTarget(context, options, store, seated)
  let ending: Awaited<ReturnType<typeof direct>>
  {
    await using _shown = await showEvents(context, store)
    ending = await direct(seated)
  }
  await conclude(context, options, store, ending === 'nothing-left')
}

const UNVERIFIED = {
  code: 'VERIFICATION_EMPTY',
  message: 'no check is configured: nothing but the commits themselves is proven',
  hint: 'axiom config set verification \'["npm test"]\'',
}

async function direct({ director }: OpenedDirector) {
  using _ = leaveOnInterrupt((how) => director.leave(how))
  // Awaited here, because the interrupt handler is disposed of at the end of this block.
  return await director.run()
}

/**
 * Autopilot needs a confirmation. Without a terminal it is the only mode, because no user can assign tasks.
 */
async function modeFor(
  context: Context,
  options: RunOptions,
  store: Store,
  { config, isAlone }: { readonly config: Config; readonly isAlone: boolean },
): Promise<Project['mode'] | undefined> {
  const isAutopilot = isAlone || options.autopilot === true
  const slots = options.agents ?? config.agents.maxConcurrent
  const goal = parseGoal(options.until ?? 'no-ready', Date.now())
  const landingsMax = isAutopilot ? (goal.kind === 'count' ? goal.landings : undefined) : 1
  showEstimate(
    context,
    estimateRun(await store.query({ deleted: true }), { slots, tags: options.tag, landingsMax }),
  )
  if (isAlone) return 'autopilot'
  const asker = createAsker(context, options.yes === true)
  const ready = await store.query({ ready: true })
  if (options.autopilot) {
    const isWanted = await asker.confirm(
      `Start autopilot with ${ready.length} ready tasks and ${slots} agents at once?`,
      true,
    )
    return isWanted ? 'autopilot' : undefined
  }
  const [first] = ready
  if (first === undefined) return 'semi-auto'
  const choices = ready
    .slice(0, 50)
    .map(({ id, content }) => ({ value: id, label: `${id} ${content.split('\n')[0]}` }))
  const chosen = await asker.choose('Which task is to be worked on?', choices, first.id)
  const answer = await assignTask(store, 'user', chosen)
  if (isRefused(answer)) throw new Failure(answer.code, answer.message, { hint: answer.hint })
  return 'semi-auto'
}

/** A check that fails before the first change fails after each change, so nothing could be proven. */
async function requireGreenTarget(
  context: Context,
  options: RunOptions,
  store: Store,
  { probeTarget, world }: OpenedDirector,
): Promise<void> {
  const probe = await probeTarget()
  if (probe.kind !== 'red') return
  context.err(probe.text)
  const isWanted =
    options.repair === true ||
    (context.interactive &&
      (await createAsker(context, false).confirm('The target is red. Begin with its repair?', true)))
  if (!isWanted) {
    throw new Failure(
      'TARGET_RED',
      `the required checks are red on the target (${probe.commit}) before any work`,
      {
        hint: 'repair it by hand, or let an agent do it first: axiom run --autopilot --repair',
      },
    )
  }
  const task = await makeRepairTask(store, world.director, probe)
  context.err(`${task} repairs the target before anything else begins.`)
}

async function conclude(
  context: Context,
  options: RunOptions,
  store: Store,
  isFinished: boolean,
): Promise<void> {
  const summary = summariseRun(await store.query({ type: 'task' }), options.tag)
  const { done, failed, blocked, waiting } = summary
  if (context.json) context.out(jsonText(summary))
  else context.out(`\n${done} done, ${failed} failed, ${blocked} blocked, ${waiting} waiting`)
  const { project } = await readProject(store)
  if (project.pause !== null && !context.json) context.out(`Paused: ${project.pause.reason}`)
  context.exit(isFinished ? exitCodeOf(summary, isGoalReached(project)) : EXIT.interrupted)
}

function isGoalReached({ sprint }: Project): boolean {
  if (sprint === null) return false
  switch (sprint.goal.kind) {
    case 'no-ready':
      return false
    case 'count':
      return sprint.landed >= sprint.goal.landings
    case 'time':
      return Date.parse(sprint.goal.until) <= Date.now()
  }
}
