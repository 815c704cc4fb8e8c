import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { SWARM } from '../../src/vocabulary/swarm.ts'
import type { Vocabulary } from '../../src/vocabulary/vocabulary.ts'
import { type HistoryTask, planHistory } from './plan-history.ts'
import { git, gitText, type History, readHistory } from './read-history.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/axiom.js')
const TARGET = 'main'

export interface Replay {
  readonly repository: string
  readonly count: number
  /** An empty folder for everything that is made. */
  readonly folder: string
  readonly agents: number
  readonly timeoutMs: number
  readonly onEvent?: (line: string) => void
  /** How many of how many commits have landed. */
  readonly onProgress?: (landed: number, tasks: number) => void
}

export interface Replayed {
  readonly tasks: number
  readonly landed: number
  readonly wantedTree: string
  /** The tree of the target of record, and of the user's own branch. */
  readonly recordTree: string
  readonly userTree: string
  readonly exitCode: number
  readonly stderr: string
  readonly user: string
}

/**
 * Turns the last commits of a repository into a plan, lets simulated agents apply them in parallel through the real
 * director, and tells with which tree it ended.
 */
export async function replayHistory(replay: Replay): Promise<Replayed> {
  const history = readHistory(replay.repository, replay.count)
  const tasks = planHistory(history.commits)
  const user = layOut(replay, history)
  const vocabulary = vocabularyFor(history)
  const folder = join(user, vocabulary.folder)
  mkdirSync(folder)
  writeFileSync(join(folder, '.gitignore'), '*\n')
  writeFileSync(join(folder, 'config.json'), JSON.stringify(configFor(replay, vocabulary)))
  const plan = join(replay.folder, 'plan.json')
  writeFileSync(plan, JSON.stringify(planFile(tasks)))
  writePlaybook(replay, history, tasks)
  const environment = { AXIOM_SIM_PLAYBOOK: join(replay.folder, 'given/playbook.json') }
  if (tasks.length > 0) {
    const planned = await axiom(replay, user, environment, ['plan', '--from', plan, '--yes', '--json'])
    if (planned.exitCode !== 0) throw new Error(`the plan was refused: ${planned.stderr}`)
  }
  const words = [
    'run',
    '--autopilot',
    '--yes',
    '--agents',
    String(replay.agents),
    '--non-interactive',
    '--json',
  ]
  const counting = { ...replay, onEvent: countInto(replay, tasks.length) }
  const { exitCode, stderr } =
    tasks.length > 0 ? await axiom(counting, user, environment, words) : { exitCode: 0, stderr: '' }
  const record = join(folder, 'integration.git')
  const recordTree =
    tasks.length > 0 ? gitText(replay.folder, ['--git-dir', record, 'rev-parse', `${TARGET}^{tree}`]) : ''
  const userTree = gitText(user, ['rev-parse', `${TARGET}^{tree}`])
  return {
    tasks: tasks.length,
    landed: tasks.length > 0 ? countLanded(replay.folder, record) : 0,
    wantedTree: gitText(replay.repository, ['rev-parse', `${history.head}^{tree}`]),
    recordTree: tasks.length > 0 ? recordTree : userTree,
    userTree,
    exitCode,
    stderr,
    user,
  }
}

function countInto({ onEvent, onProgress }: Replay, tasks: number): (line: string) => void {
  let landed = 0
  return (line) => {
    onEvent?.(line)
    if (!line.startsWith('{"type":"case:completed"') || !line.includes('"caseType":"task"')) return
    landed += 1
    onProgress?.(landed, tasks)
  }
}

function countLanded(cwd: string, record: string): number {
  const words = ['--git-dir', record, 'log', '--format=%(trailers:key=Task,valueonly,separator=%x20)', TARGET]
  return new Set(
    gitText(cwd, words)
      .split('\n')
      .filter((task) => task !== ''),
  ).size
}

/** The user's repository at the base, and a bare one from which agents fetch what each commit brought. */
function layOut({ repository, folder }: Replay, { base, commits }: History): string {
  const given = join(folder, 'given')
  const user = join(folder, 'user')
  mkdirSync(given)
  mkdirSync(user)
  const bare = join(given, 'history.git')
  git(folder, ['init', '--quiet', '--bare', bare])
  const refs = commits.map(({ commit }, i) => `${commit}:refs/history/${i}`)
  git(bare, [
    'fetch',
    '--quiet',
    '--no-tags',
    '--update-shallow',
    repository,
    `${base}:refs/history/base`,
    ...refs,
  ])
  git(user, ['init', '--quiet', `--initial-branch=${TARGET}`])
  git(user, ['fetch', '--quiet', '--no-tags', '--update-shallow', bare, 'refs/history/base'])
  git(user, ['reset', '--quiet', '--hard', 'FETCH_HEAD'])
  return user
}

/** A repository that has AXIOM's own folder in it gets the other vocabulary's. */
function vocabularyFor({ commits }: History): Vocabulary {
  const tops = new Set(
    commits.flatMap(({ changes }) => changes.map(({ path }) => path.split('/')[0]?.toLowerCase())),
  )
  const free = [AXIOM, SWARM].find(({ folder, workspaces }) => !tops.has(folder) && !tops.has(workspaces))
  if (free) return free
  throw new Error('this history touches the folders that AXIOM keeps for itself')
}

function configFor({ folder, agents }: Replay, { name }: Vocabulary) {
  return {
    vocabulary: name,
    agents: { driver: 'sim', maxConcurrent: agents },
    review: { defaultMode: 'skip' },
    integration: { target: TARGET },
    sandbox: { readOnly: [join(folder, 'given')] },
  }
}

function planFile(tasks: readonly HistoryTask[]) {
  return {
    need: 'When I have a history, I want it to come about again, so that I can compare it.',
    operations: [
      {
        key: 'history',
        content: 'Apply the commits',
        acceptanceCriteria: ['the tree is that of the repository'],
        dependsOn: [],
        tasks: tasks.map(({ key, commit, subject, dependsOn }) => ({
          key,
          content: `Apply ${commit}: ${printable(subject)}`,
          acceptanceCriteria: [`every path that ${commit} changed is as it left it`],
          dependsOn,
          tags: [],
        })),
      },
    ],
  }
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim() || 'no subject'
}

function writePlaybook({ folder }: Replay, { commits }: History, tasks: readonly HistoryTask[]): void {
  const given = join(folder, 'given')
  for (const [i, { indexInfo }] of commits.entries()) writeFileSync(join(given, `${i}.index`), indexInfo)
  const entries = tasks.map(({ key, commit }, i) => ({
    role: 'developer',
    tasks: [key],
    steps: [
      { do: 'run', command: applyLine(given, i, commit), mustPass: true },
      { do: 'signal', tag: 'COMPLETE' },
    ],
  }))
  writeFileSync(join(given, 'playbook.json'), JSON.stringify({ entries }))
}

/** Everything by the index: names, modes and links need no file system to be exact. */
function applyLine(given: string, i: number, commit: string): string {
  return [
    `git -c protocol.file.allow=always fetch --quiet --no-tags '${given}/history.git' refs/history/${i}`,
    'export GIT_INDEX_FILE="$PWD/.git/applied"; git read-tree HEAD',
    `git update-index -z --index-info < '${given}/${i}.index'`,
    'tree=$(git write-tree); unset GIT_INDEX_FILE; rm .git/applied',
    'git read-tree -m -u HEAD $tree',
    `git commit --quiet --message 'feat: apply ${commit}'`,
  ].join(' && ')
}

function axiom(
  { timeoutMs, onEvent }: Replay,
  cwd: string,
  environment: Record<string, string>,
  words: readonly string[],
): Promise<{ exitCode: number; stderr: string }> {
  const { PATH, HOME } = process.env
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd,
      env: { PATH, HOME, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    let stderr = ''
    let rest = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr = `${stderr}${chunk}`.slice(-20_000)))
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onEvent?.(line)
    })
    child.on('error', fail)
    child.on('close', (code) => {
      clearTimeout(timer)
      done({ exitCode: code ?? -1, stderr })
    })
  })
}
