import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AgentHost } from '../src/agents/agent-run.ts'
import { commandDriver } from '../src/agents/drivers/command.ts'
import { Redactor } from '../src/agents/redaction.ts'
import { configSchema } from '../src/config/schema.ts'
import { runTask } from '../src/director/run-task.ts'
import type { RunWorld } from '../src/director/run-world.ts'
import { landBatch } from '../src/integration/land-candidates.ts'
import type { LandingGround } from '../src/integration/landing-ground.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createGit } from '../src/platform/git/git.ts'
import { identityFor } from '../src/platform/sandbox/confine.ts'
import { createRunInSandbox } from '../src/platform/sandbox/run-confined-line.ts'
import { Ash } from '../src/runs/ash.ts'
import { openStore } from '../src/store/open-store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { fetchTarget, openIntegrationRepository } from '../src/workspaces/integration-repository.ts'
import { openGround } from '../src/workspaces/workspace.ts'
import { atMost, median, type Report } from './measure.ts'

const run = promisify(execFile)

const TASKS = 25
const WARM_UP_TASKS = 2
const FILES = 200
const OVERHEAD_MAX = 1.5

/** The whole work of an agent that needs no time to think. */
const WORK = 'echo "$AXIOM_TASK_ID" > work.txt && git add -A && git commit -qm "feat: work #$AXIOM_TASK_ID"'

/**
 * What a careful person would write to do the same with git alone: a clone, the work, the commit taken over with its
 * objects checked, the change merged in memory, one commit for it, the branch moved only from where it was seen.
 * As in a run without checks, nothing is checked out to be verified.
 */
const SCRIPT = `set -e
git clone -q --shared --no-checkout "$INTEGRATION" "$WORKSPACE"
cd "$WORKSPACE"
git checkout -q -b "agent/$AXIOM_TASK_ID" main
base=$(git rev-parse HEAD)
${WORK}
head=$(git rev-parse HEAD)
test -z "$(git status --porcelain)"
cd "$INTEGRATION"
git -c fetch.fsckObjects=true fetch -q --no-tags "$WORKSPACE" "HEAD:refs/axiom/runs/$AXIOM_TASK_ID/1"
git merge-base --is-ancestor "$base" "$head"
git diff-tree -r --numstat "$base" "$head" > /dev/null
target=$(git rev-parse refs/heads/main)
tree=$(git merge-tree --write-tree "$target" "$head")
if git diff-tree -r --name-only "$target" "$tree" | grep -q '^.axiom/'; then exit 1; fi
commit=$(git commit-tree "$tree" -p "$target" -m "feat: work #$AXIOM_TASK_ID" -m "Task: $AXIOM_TASK_ID")
git update-ref refs/heads/main "$commit" "$target"
`

/** From the claim of a task to its commit on the target, beside a shell script that does the same with git. */
export async function measureTaskOverhead(report: Report, host: AgentHost): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-bench-task-')))
  try {
    const world = await makeWorld(folder, host)
    const [ours, script]: [number[], number[]] = [[], []]
    for (let number = 1; number <= TASKS + WARM_UP_TASKS; number += 1) {
      const task = `task-${String(number).padStart(3, '0')}`
      const mine = await timed(() => runOne(world, task))
      const peer = await timed(() => runScript(world, folder, task))
      if (number <= WARM_UP_TASKS) continue
      ours.push(mine)
      script.push(peer)
    }
    await world.store.close()
    const ratio = median(ours) / median(script)
    report({
      name: 'runs',
      metric: `a task from claim to landed, instant agent, no checks (${host.level}) ÷ the same git commands in a shell script`,
      value: median(ours),
      unit: 'ms',
      limit: median(script),
      ratio,
      ...atMost(OVERHEAD_MAX)(ratio),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function runOne(world: RunWorld, task: string): Promise<void> {
  const outcome = await runTask(world, { task, slot: 0 })
  if (outcome.kind !== 'ended' || outcome.end.kind !== 'complete') throw new Error(JSON.stringify(outcome))
  const { agent, fence, end } = outcome
  const source = end.proof.proof.commit
  const entry = { task, agent, fence, source, type: 'feat', description: 'work', dependsOn: [] }
  const { landings } = await landBatch(landingGround(world), [entry])
  if (landings.get(task)?.kind !== 'landed') throw new Error(JSON.stringify(landings.get(task)))
  const done = { kind: 'move', id: task, status: 'done', reason: 'landed', fence } as const
  const answer = await world.store.transact({ commands: [done], by: 'integrator' })
  if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
}

/** As with the proof: where there is no check, there is nothing to run and nothing to check out. */
function landingGround({ ground, store }: RunWorld): LandingGround {
  const { git, integration } = ground
  return {
    git,
    repository: { gitDir: integration.gitDir, lasting: true },
    scratchDir: join(dirname(integration.gitDir), 'scratch'),
    now: () => Date.now(),
    commitTypes: ['feat'],
    protectedFolders: ['.axiom', '.workspaces'],
    target: integration.target,
    writing: integration.writing,
    verify: async () => ({ kind: 'green', evidence: 'no check is configured' }),
    holdsFence: async ({ task, fence }) => {
      const [found] = await store.query({ ids: [task] })
      return found?.leases?.develop?.fence === fence
    },
  }
}

async function runScript(world: RunWorld, folder: string, task: string): Promise<void> {
  await run('sh', ['-c', SCRIPT], {
    env: {
      PATH: process.env.PATH,
      ...IDENTITY,
      AXIOM_TASK_ID: `script-${task}`,
      INTEGRATION: world.ground.integration.gitDir,
      WORKSPACE: join(folder, 'scripted', task),
    },
  })
}

const IDENTITY = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Echo',
  GIT_AUTHOR_EMAIL: 'echo@example.invalid',
  GIT_COMMITTER_NAME: 'Echo',
  GIT_COMMITTER_EMAIL: 'echo@example.invalid',
}

async function makeWorld(folder: string, host: AgentHost): Promise<RunWorld> {
  const root = join(folder, 'user')
  await makeRepository(root)
  const agent = join(folder, 'agent.sh')
  await writeFile(agent, `${WORK} && echo '<axiom>COMPLETE</axiom>'\n`)
  await chmod(agent, 0o755)
  await mkdir(join(folder, 'scripted'))
  const git = createGit(process.env.PATH ?? '')
  const integration = await openIntegrationRepository(join(folder, 'axiom/integration.git'), 'main')
  await fetchTarget(git, integration, join(root, '.git'))
  const owner = identityFor(host.level, host.sandbox)
  const ground = await openGround({
    git,
    integration,
    workspacesDir: join(folder, 'workspaces'),
    observersDir: join(folder, 'axiom/observers'),
    ...(owner ? { owner } : {}),
    now: () => Date.now(),
  })
  const store = await openStore({ folder: join(root, '.axiom'), purpose: 'bench' })
  const tasks = Array.from({ length: TASKS + WARM_UP_TASKS }, () => ({
    kind: 'create' as const,
    type: 'task' as const,
    parentId: '$o',
    content: 'work',
  }))
  await store.transact({
    commands: [{ kind: 'create', type: 'operation', content: 'all', as: 'o' }, ...tasks],
    by: 'user',
  })
  const { sandbox, level } = host
  const redactor = new Redactor(host.secrets)
  return {
    root,
    vocabulary: AXIOM,
    config: configSchema.parse({}),
    store,
    ground,
    driver: commandDriver(host, { command: ['sh', agent], folder }),
    runLine: createRunInSandbox({
      level,
      host: sandbox,
      confinementFor: () => {
        throw new Error('there are no checks')
      },
    }),
    ash: await Ash.open(join(root, '.axiom'), AXIOM, 'dex-001'),
    clock: systemClock,
    random: () => 0.5,
    redact: (text) => redactor.redact(text),
    show: () => undefined,
    machine: {},
  }
}

async function makeRepository(root: string): Promise<void> {
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(join(root, '.axiom'))
  for (let i = 0; i < FILES; i += 1) {
    await writeFile(join(root, 'src', `file-${i}.js`), `export const value = ${i}\n`.repeat(50))
  }
  await run('sh', ['-ec', 'git init -q -b main && git add src && git commit -qm first'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...IDENTITY },
  })
}
