import { chmod, mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { createGit, type Git } from '../../../platform/git/git.ts'
import { parseRecording, type Recording } from '../../../project/recording.ts'
import { openStore } from '../../../store/open-store.ts'
import type { Store } from '../../../store/store.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { readConfigFile, writeConfigFile } from '../../load-config.ts'
import { findProject, type Project } from '../../project.ts'
import type { RunInside } from '../../run-inside.ts'
import { LANDED, playbookOf, type RecordedLanding } from './playbook-of.ts'
import { replayConfig } from './replay-config.ts'
import { resetCases } from './reset-cases.ts'

export interface ReplayResult {
  readonly type: 'summary'
  readonly repository: string
  readonly turns: number
  readonly done: readonly string[]
  /** Whether the same tasks are done and the target holds the same files; null when the recording was cut short. */
  readonly same: boolean | null
  readonly code: ExitCode
}

/** Agents wait for each other in the recorded order; with the maximum number, no agent waits for a slot. */
const RUN = ['run', '--autopilot', '--agents', '50', '--non-interactive', '--json'] as const
const STAGE = 'replay'

interface Replay {
  readonly context: Context
  readonly runInside: RunInside
  readonly git: Git
  readonly recording: Recording
  /** Where it was recorded. */
  readonly project: Project
  /** The new repository, and its project folder. */
  readonly root: string
  readonly folder: string
}

/** Lets simulated agents repeat the recorded messages and commits, in a separate repository. */
export async function replayRecording(
  context: Context,
  runInside: RunInside,
  log: string,
): Promise<ReplayResult> {
  const path = resolve(context.cwd, log)
  const recording = await readRecording(path)
  const project = findProject(dirname(path))
  const root = await realpath(await mkdtemp(join(tmpdir(), 'axiom-replay-')))
  const folder = join(root, project.vocabulary.folder)
  const git = createGit(context.env.PATH ?? '')
  const replay: Replay = { context, runInside, git, recording, project, root, folder }
  await layOut(replay)
  await dress(replay)
  await must(replay, ['store', 'import', join(folder, STAGE, 'cases.jsonl'), '--json'])
  const store = await openStore({ folder, purpose: 'axiom replay' })
  try {
    return compare(replay, store, await perform(replay, store))
  } finally {
    await store.close()
  }
}

async function readRecording(path: string): Promise<Recording> {
  const content = await readFile(path, 'utf8').catch(() => undefined)
  const recording = content === undefined ? undefined : parseRecording(content)
  if (recording) return recording
  throw new Failure('USAGE_FILE', `${path} is no recording`, {
    hint: 'recordings lie in the folder "recordings" of a project, one per run',
  })
}

/** The target as it was, in a repository that shares nothing with the recorded one. */
async function layOut(replay: Replay): Promise<void> {
  const { git, root, project, recording } = replay
  const { target, base } = recording.begin
  const here = { gitDir: join(root, '.git'), workTree: root }
  const from = join(project.folder, 'integration.git')
  await git.run({ cwd: root }, ['clone', '--quiet', '--no-checkout', '--no-local', from, '.'])
  await git.run(here, ['checkout', '--quiet', '--no-track', '-B', target, base])
  await git.run(here, ['remote', 'remove', 'origin'])
  const names = ['--vocabulary', project.vocabulary.name]
  await must(replay, ['init', '--yes', '--no-prove', '--driver', 'sim', ...names, '--json'])
}

async function dress(replay: Replay): Promise<void> {
  const { folder, project, recording } = replay
  const stage = join(folder, STAGE)
  const turns = join(stage, 'turns')
  await mkdir(turns, { recursive: true })
  await mkdir(join(stage, LANDED))
  // In the sandbox an agent may run as another user than the owner of the folder.
  await chmod(turns, 0o777)
  const playbook = playbookOf(recording.turns, await recordedLandings(replay))
  await writeFile(join(stage, 'playbook.json'), JSON.stringify(playbook, undefined, 2))
  await writeFile(join(stage, 'cases.jsonl'), `${(await recordedCases(replay)).join('\n')}\n`)
  const { raw } = await readConfigFile(project.folder)
  const config = replayConfig(raw, project.vocabulary.name, {
    readOnly: [join(stage, LANDED)],
    readWrite: [turns],
  })
  await writeConfigFile(folder, `${JSON.stringify(config, undefined, 2)}\n`)
}

/** The landings come from the git history, which has them in order. */
async function recordedLandings({ git, project, recording }: Replay): Promise<RecordedLanding[]> {
  const { base, target } = recording.begin
  const gitDir = join(project.folder, 'integration.git')
  const format = '--format=%H %(trailers:key=Task,valueonly,unfold,separator=%x2c)'
  const words = ['log', '--reverse', '--first-parent', format, `${base}..refs/heads/${target}`, '--']
  return (await git.text({ gitDir }, words)).split('\n').flatMap((line) => {
    const [commit = '', task = ''] = line.split(' ')
    return task === '' ? [] : [{ commit, task }]
  })
}

async function recordedCases({ project, recording }: Replay): Promise<string[]> {
  const store = await openStore({ folder: project.folder, purpose: 'axiom replay' })
  try {
    const bytes = await store.getBlob(recording.begin.cases)
    if (bytes) return resetCases(Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean))
    throw new Failure('USAGE_FILE', 'the cases with which the recording began are gone', {
      hint: 'replay where the recording was made: its blobs lie beside the store',
    })
  } finally {
    await store.close()
  }
}

/** Runs the autopilot, and writes a file for each landed task that agents wait for. */
async function perform({ context, runInside, root, folder }: Replay, store: Store): Promise<ExitCode> {
  const env = { ...context.env, AXIOM_SIM_PLAYBOOK: join(folder, STAGE, 'playbook.json') }
  const over = new AbortController()
  const showing = (async () => {
    for await (const item of store.feed(undefined, over.signal)) {
      if ('reset' in item) continue
      for (const { id, case: subject } of item.events)
        if (subject.type === 'task' && subject.status === 'done')
          await writeFile(join(folder, STAGE, LANDED, id), '')
    }
  })()
  try {
    const { code, stderr } = await runInside(root, RUN, env)
    if (stderr.trim() !== '') context.err(stderr.trim())
    return code
  } finally {
    over.abort()
    await showing
  }
}

async function compare(
  { git, recording, root, folder }: Replay,
  store: Store,
  code: ExitCode,
): Promise<ReplayResult> {
  const { begin, end, turns } = recording
  const done = (await store.query({ type: 'task', status: 'done' })).map(({ id }) => id)
  const gitDir = join(folder, 'integration.git')
  const tree = await git.text({ gitDir }, ['rev-parse', `refs/heads/${begin.target}^{tree}`])
  const same = end ? end.tree === tree && end.done.join() === done.join() : null
  return { type: 'summary', repository: root, turns: turns.length, done, same, code }
}

async function must({ runInside, root }: Replay, argv: readonly string[]): Promise<void> {
  const { code, stderr } = await runInside(root, argv)
  if (code === EXIT.ok) return
  throw new Failure('REPLAY_FAILED', `axiom ${argv[0]} ended with ${code}: ${stderr.trim()}`, {
    hint: '"axiom doctor" tells what is missing on this machine',
  })
}
