import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../../platform/process/run-command.ts'
import { openStore } from '../../../store/open-store.ts'
import type { Store } from '../../../store/store.ts'
import { AXIOM } from '../../../vocabulary/axiom.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import type { InsideRun, RunInside } from '../../run-inside.ts'
import { openMaterial } from './demo-material.ts'
import { findApplied } from './find-applied.ts'
import { listNotLanded, type NotLanded } from './list-not-landed.ts'
import { createNarrator, type Narrator, remark } from './narrator.ts'
import { performDemo } from './perform-demo.ts'
import { type PreparedDemo, prepareDemo } from './prepare-demo.ts'
import { countDemo, type DemoFigures } from './tell-story.ts'

export interface DemoOptions {
  /** Ends when everything has landed, even with the dashboard open. */
  readonly exit: boolean
  readonly dir?: string
  readonly seed: number
  readonly runInside: RunInside
}

const MATERIAL = fileURLToPath(new URL('../../../../demo', import.meta.url))
const CHECK_TIMEOUT_MS = 300_000

/** The whole loop on a sample repository, with agents that are simulated and everything else real. */
export async function runDemo(context: Context, options: DemoOptions): Promise<ExitCode> {
  const narrator = createNarrator(context)
  narrator.say(INTRODUCTION)
  const demo = await prepareDemo(context, openMaterial(MATERIAL), options)
  narrator.report({ type: 'demo', simulated: true, repository: demo.root, resumed: demo.isResumed })
  tellPreparation(narrator, demo)
  const red = demo.ava.proofs.filter(({ passed }) => !passed)
  if (red.length > 0) {
    narrator.tell(remark('ava', 'The sample is red before anybody has touched it. Nothing is begun.', 'bad'))
    narrator.tell(remark('ava', ADVICE, 'bad'))
    return close(narrator, demo, { ...(await withDemoStore(demo, figuresOf)), isGreen: false })
  }
  const outcome = await withDemoStore(demo, async (store) => {
    const ran = await performDemo(context, options, narrator, demo, store)
    const notLanded = listNotLanded(await store.query({}))
    return { ran, figures: await figuresOf(store), applied: await appliedIn(store, demo), notLanded }
  })
  tellOutcome(narrator, outcome)
  if (outcome.ran.code === EXIT.interrupted) return EXIT.interrupted
  if (outcome.notLanded.length > 0 || outcome.figures.landed === 0) {
    tellFailure(narrator, outcome)
    return close(narrator, demo, { ...outcome.figures, isGreen: false })
  }
  const isGreen = await checkRepository(context, demo)
  const what = isGreen
    ? 'The tests of the landed branch pass, run once more in your folder.'
    : 'The landed branch is red.'
  narrator.tell(remark('max', what, isGreen ? 'good' : 'bad'))
  return close(narrator, demo, { ...outcome.figures, isGreen })
}

const INTRODUCTION = `AXIOM demo. The agents are simulated: no model, no key, no network. All else
is real: repository, git, workspaces, checks, reviews, queue and conflict.
`

const ADVICE = '"axiom doctor" tries everything that a run needs on this machine, and says what to type.'

/** Reports no test result: a branch on which not everything landed proves nothing. */
function tellFailure(
  narrator: Narrator,
  { figures, notLanded }: { readonly figures: DemoFigures; readonly notLanded: readonly NotLanded[] },
): void {
  const all = figures.landed + figures.failed
  const what = figures.landed === 0 ? 'Nothing landed.' : `Only ${figures.landed} of ${all} tasks landed.`
  narrator.tell(remark('max', `${what} The demo failed.`, 'bad'))
  for (const { tasks, why } of notLanded)
    narrator.tell(remark('max', `${tasks.join(', ')} did not land: ${why}`, 'bad'))
  narrator.tell(remark('max', ADVICE, 'bad'))
}

function tellPreparation(narrator: Narrator, { root, isResumed, ava, keys }: PreparedDemo): void {
  if (isResumed) {
    narrator.tell(remark('dex', `I go on with the demo in ${root}.`))
    return
  }
  narrator.tell(remark('ava', `A small ledger library in ${root}; I looked around and tried its commands.`))
  for (const { command, passed } of ava.proofs) {
    const how = passed ? 'passes' : 'does not pass'
    narrator.tell(remark('ava', `"${command}" ${how} in a fresh checkout.`, passed ? 'good' : 'bad'))
  }
  if (ava.sandbox !== null) narrator.tell(remark('ava', wallWords(ava.sandbox)))
  const tasks = Object.keys(keys).filter((key) => key.startsWith('t-')).length
  const operations = Object.keys(keys).length - tasks
  narrator.tell(
    remark('axel', `The plan: ${operations} operations, ${tasks} tasks, each with its words of the spec.`),
  )
  narrator.tell(
    remark('dex', 'Autopilot: three agents at once, nobody is asked, a question takes its default.'),
  )
}

function wallWords(sandbox: string): string {
  return sandbox === 'none'
    ? 'No sandbox holds on this machine ("axiom doctor" tells why): the simulated agents run without one.'
    : `Commands and agents run inside the sandbox: ${sandbox}.`
}

async function withDemoStore<Result>(
  { root }: PreparedDemo,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ folder: join(root, AXIOM.folder), purpose: 'axiom demo' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function figuresOf(store: Store): Promise<DemoFigures> {
  return countDemo(await store.query({}))
}

async function appliedIn(
  store: Store,
  { root }: PreparedDemo,
): Promise<readonly (readonly [string, string[]])[]> {
  const logs = join(root, AXIOM.folder, 'agents', AXIOM.personas.echo.id, 'logs')
  const discoveries = await store.query({ type: 'discovery' })
  return Promise.all(
    discoveries.map(async (discovery) => [discovery.id, await findApplied(logs, discovery)] as const),
  )
}

function tellOutcome(
  narrator: Narrator,
  {
    ran,
    figures,
    applied,
  }: {
    readonly ran: InsideRun
    readonly figures: DemoFigures
    readonly applied: readonly (readonly [string, string[]])[]
  },
): void {
  for (const [id, tasks] of applied) {
    if (tasks.length > 0)
      narrator.tell(remark('cleo', `${id} stood in the prompts of ${tasks.join(', ')}.`, 'good'))
  }
  if (ran.code !== EXIT.ok && ran.stderr.trim() !== '') narrator.say(ran.stderr.trim())
  const { landed, failed, rework, conflictsResolved, questions } = figures
  const text = `${landed} landed, ${failed} not; sent back ${rework} times, ${conflictsResolved} conflicts resolved, ${questions} questions.`
  narrator.tell(remark('ash', text))
}

/** Checks the user's own branch once more, in the folder where the user would. */
async function checkRepository({ env }: Context, { root }: PreparedDemo): Promise<boolean> {
  const { ending } = await runCommand({
    argv: ['npm', 'test', '--silent'],
    cwd: root,
    env,
    timeoutMs: CHECK_TIMEOUT_MS,
  })
  return ending.kind === 'exited' && ending.exitCode === 0
}

function close(
  narrator: Narrator,
  { root }: PreparedDemo,
  { isGreen, ...figures }: DemoFigures & { readonly isGreen: boolean },
): ExitCode {
  const isDone = isGreen && figures.failed === 0 && figures.landed > 0
  if (isDone) narrator.say(closing(root))
  narrator.report({ type: 'summary', ...figures, repository: root })
  return isDone ? EXIT.ok : EXIT.failed
}

function closing(root: string): string {
  return `
Look at what they made:
  git -C ${root} log --stat
  axiom status --cwd ${root}

In your own repository:
  axiom init
  axiom plan --from plan.json --yes
  axiom run --autopilot`
}
