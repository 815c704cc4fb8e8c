// Creating a workspace compared with a manual `git clone --shared`, on a repository of 25,000 files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit } from '../src/platform/git/git.ts'
import { createWorkspace } from '../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../src/workspaces/inspect-workspace.ts'
import { fetchTarget, openIntegrationRepository } from '../src/workspaces/integration-repository.ts'
import { emptyTrash, removeWorkspace } from '../src/workspaces/remove-workspace.ts'
import { openGround, type Workspace } from '../src/workspaces/workspace.ts'
import { atMost, median, type Report } from './measure.ts'

const FILES = 25_000
const FOLDERS = 500
const ROUNDS = 3
const NAME = 'workspaces'

const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.invalid',
}

function shell(cwd: string, line: string): void {
  execFileSync('sh', ['-ec', line], { cwd, env: ENVIRONMENT, stdio: 'ignore' })
}

/** A bare repository with files of about the size of source files, all different. */
function generate(gitDir: string): void {
  const stream = ['commit refs/heads/main\ncommitter Bench <bench@example.invalid> 0 +0000\ndata 5\nfirst\n']
  for (let n = 0; n < FILES; n += 1) {
    const line = `${createHash('sha512').update(String(n)).digest('base64')}\n`
    const text = line.repeat(10 + (n % 60))
    stream.push(`M 100644 inline package-${n % FOLDERS}/src/file-${n}.ts\ndata ${text.length}\n${text}\n`)
  }
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', gitDir], { env: ENVIRONMENT })
  execFileSync('git', ['fast-import', '--quiet'], { cwd: gitDir, env: ENVIRONMENT, input: stream.join('') })
}

async function timed<T>(times: number[], work: () => Promise<T> | T): Promise<T> {
  const begun = performance.now()
  const result = await work()
  times.push(performance.now() - begun)
  return result
}

export async function run(report: Report): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'axiom-bench-'))
  try {
    await measure(root, report)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function measure(root: string, report: Report): Promise<void> {
  const user = join(root, 'user.git')
  generate(user)
  const git = createGit(process.env.PATH ?? '')
  const integration = await openIntegrationRepository(join(root, 'axiom/integration.git'), 'main')
  await fetchTarget(git, integration, user)
  const ground = await openGround({
    git,
    integration,
    workspacesDir: join(root, 'workspaces'),
    observersDir: join(root, 'axiom/observers'),
    now: () => Date.now(),
  })
  const times = { make: [], clone: [], look: [], status: [], remove: [], hand: [] } as Record<
    string,
    number[]
  >
  const of = (name: string): number[] => times[name] ?? []
  for (let round = 0; round < ROUNDS; round += 1) {
    const hand = join(root, `hand-${round}`)
    // Alternating order, so that neither side always finds the disk cache filled by the other.
    const clone = () =>
      timed(of('clone'), () =>
        shell(
          root,
          `git clone -q --shared axiom/integration.git ${hand} && git -C ${hand} checkout -q -b agent/x/y`,
        ),
      )
    const make = () =>
      timed(of('make'), () =>
        createWorkspace(ground, { agent: `echo-${round}`, task: `task-${round}`, slot: 0 }),
      )
    if (round % 2 === 0) await clone()
    const workspace: Workspace = await make()
    if (round % 2 === 1) await clone()
    for (const path of [hand, workspace.path])
      shell(path, 'echo x > new.txt && git add -A && git commit -qm x')
    await inspectWorkspace(ground, workspace)
    await timed(of('look'), () => inspectWorkspace(ground, workspace))
    await timed(of('status'), () => shell(hand, 'git status --porcelain && git rev-parse HEAD'))
    await timed(of('remove'), () => removeWorkspace(ground, workspace, 'bench'))
    await timed(of('hand'), () => shell(root, `rm -rf ${hand}`))
    await emptyTrash(ground)
  }
  const line = (metric: string, own: string, peer: string, ceiling: number): void => {
    const [value, limit] = [median(of(own)), median(of(peer))]
    const ratio = value / limit
    report({ name: NAME, metric, value, unit: 'ms', limit, ratio, ...atMost(ceiling)(ratio) })
  }
  line('make a workspace ÷ git clone --shared by hand, 25,000 files', 'make', 'clone', 1.2)
  line('look at it without trusting it ÷ git status in it', 'look', 'status', 8)
  line('save and remove it ÷ rm -rf by hand', 'remove', 'hand', 1.5)
}
