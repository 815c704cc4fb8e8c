import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { configSchema } from '../src/config/schema.ts'
import { openDirector } from '../src/director/open/open-director.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { atMost, median, type Report } from './measure.ts'

const run = promisify(execFile)

const TASKS = 25
const WARM_UP_TASKS = 2
const FILES = 200
const OVERHEAD_MAX = 1.5
const LOOK_EVERY_MS = 5
const WAIT_MAX_MS = 120_000
const CRITERION = 'work.txt says which task it was'

/** Agents that answer at once, one for each stage that a task passes. */
const AGENT = `set -e
case "$AXIOM_ROLE" in
developer)
  echo "$AXIOM_TASK_ID" > work.txt && git add -A && git commit -qm "feat: work #$AXIOM_TASK_ID"
  echo '<axiom>COMPLETE</axiom>' ;;
critic)
  printf 'REVIEW_PASSED: %s\\n\\nFiles Reviewed:\\n- work.txt\\n\\nSummary: in its place\\n' "$AXIOM_TASK_ID" ;;
auditor)
  printf 'AUDIT_PASSED: %s\\n\\nVerification Results:\\n- ${CRITERION}: VERIFIED - seen in work.txt\\n\\nSummary: met\\n' "$AXIOM_TASK_ID" ;;
esac
`

/**
 * A careful script that does the same with git alone: a clone, the work, the commit imported with its objects
 * checked, a copy of exactly that commit and the diff for each of the two reviewers, the change merged in
 * memory, one commit for it, the branch moved only if it is still where it was seen. Where the target has not
 * moved since the work began, both sides could take its tree as it is; the script merges anyway, because it
 * cannot know that without a query. As in a run without checks, nothing is checked out to be verified.
 */
const SCRIPT = `set -e
review() {
  git diff "$base" "$head" > "$WORKSPACE.$1.told"
  git clone -q --shared --no-checkout "$INTEGRATION" "$WORKSPACE.$1"
  cd "$WORKSPACE.$1"
  git checkout -q --detach "$head"
  AXIOM_ROLE=$1 sh "$AGENT" < "$WORKSPACE.$1.told" > "$WORKSPACE.$1.said"
  grep -q "_PASSED: $AXIOM_TASK_ID" "$WORKSPACE.$1.said"
  cd "$INTEGRATION"
  mv "$WORKSPACE.$1" "$TRASH"
}
git clone -q --shared --no-checkout "$INTEGRATION" "$WORKSPACE"
cd "$WORKSPACE"
git checkout -q -b "agent/$AXIOM_TASK_ID" main
base=$(git rev-parse HEAD)
AXIOM_ROLE=developer sh "$AGENT" > "$WORKSPACE.said"
grep -q '<axiom>COMPLETE</axiom>' "$WORKSPACE.said"
head=$(git rev-parse HEAD)
test -z "$(git status --porcelain)"
cd "$INTEGRATION"
git -c fetch.fsckObjects=true fetch -q --no-tags "$WORKSPACE" "HEAD:refs/axiom/runs/$AXIOM_TASK_ID/1"
git merge-base --is-ancestor "$base" "$head"
git diff-tree -r --numstat "$base" "$head" > /dev/null
review critic
review auditor
target=$(git rev-parse refs/heads/main)
tree=$(git merge-tree --write-tree "$target" "$head")
if git diff-tree -r --name-only "$target" "$tree" | grep -q '^.axiom/'; then exit 1; fi
commit=$(git commit-tree "$tree" -p "$target" -m "feat: work #$AXIOM_TASK_ID" -m "Task: $AXIOM_TASK_ID")
git update-ref refs/heads/main "$commit" "$target"
`

/**
 * From the claim of a task to its commit on the target, by the director, compared with a shell script with
 * git.
 */
export async function measureTaskOverhead(report: Report): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-bench-task-')))
  try {
    const { ours, script, level } = await measure(folder)
    const ratio = median(ours) / median(script)
    report({
      name: 'runs',
      metric: `a task from claim to landed, through critic and auditor, instant agents, no checks (${level}, load ${loadavg()[0]?.toFixed(1)}) ÷ the same git commands in a shell script`,
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

async function measure(folder: string): Promise<{ ours: number[]; script: number[]; level: string }> {
  const root = join(folder, 'user')
  const agent = join(folder, 'agent.sh')
  await makeRepository(root)
  await writeFile(agent, AGENT)
  await mkdir(join(folder, 'trash'))
  await run('git', ['clone', '-q', '--bare', root, join(folder, 'peer.git')], { env: ENVIRONMENT })
  const store = await openStore({ folder: join(root, '.axiom'), purpose: 'bench' })
  const [ours, script]: [number[], number[]] = [[], []]
  try {
    await using seated = await openDirector({
      root,
      vocabulary: AXIOM,
      config: configSchema.parse({
        agents: { driver: 'command', command: ['sh', agent], maxConcurrent: 1 },
        review: { defaultMode: 'skip' },
        // Off, because a periodic checkpoint would slow only a few of the tasks.
        checkpoints: { every: 0 },
        sandbox: { readOnly: [agent] },
      }),
      store,
      environment: process.env,
      built: join(import.meta.dirname, '..'),
      allowUnsandboxed: true,
      nonInteractive: true,
      stays: true,
      begin: (project) => ({ ...project, mode: 'autopilot', pause: null }),
      notify: ({ code, message }) => console.error(`${code}: ${message}`),
    })
    const directing = seated.director.run()
    for (let number = 1; number <= TASKS + WARM_UP_TASKS; number += 1) {
      const mine = await timeTask(store)
      await settled(root)
      const peer = await timed(() => runScript(folder, agent, `task-${number}`))
      if (number <= WARM_UP_TASKS) continue
      ours.push(mine)
      script.push(peer)
    }
    seated.director.leave('gently')
    await directing
    return { ours, script, level: seated.world.sandbox.level }
  } finally {
    await store.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Gives the director a task, and returns the time from its claim to its landing. */
async function timeTask(store: Store): Promise<number> {
  const over = new AbortController()
  const { cursor } = await store.report()
  const made = await store.transact({
    commands: [
      // A new operation for each task: one whose tasks are all done accepts no more.
      { kind: 'create', type: 'operation', content: 'all', as: 'o' },
      {
        kind: 'create',
        type: 'task',
        parentId: '$o',
        content: 'work',
        metadata: { acceptanceCriteria: [CRITERION] },
      },
    ],
    by: 'user',
  })
  if (made.kind !== 'committed') throw new Error(JSON.stringify(made))
  const id = made.created.at(-1)
  let claimedMs: number | undefined
  for await (const item of store.feed(cursor, over.signal)) {
    if ('reset' in item) throw new Error('the feed began anew')
    for (const { case: subject } of item.events) {
      if (subject.id !== id) continue
      if (subject.leases?.develop) claimedMs ??= performance.now()
      if (subject.status === 'failed' || subject.status === 'blocked')
        throw new Error(JSON.stringify(subject))
      if (subject.status === 'done' && claimedMs !== undefined) return performance.now() - claimedMs
    }
  }
  throw new Error('the feed ended')
}

/**
 * Waits for the work after a landing (the user's branch, the workspace's removal), which would slow the
 * script.
 */
async function settled(root: string): Promise<void> {
  const workspaces = join(root, '.workspaces')
  const begunMs = performance.now()
  const isBusy = (): boolean =>
    existsSync(workspaces) && readdirSync(workspaces).some((name) => !name.startsWith('.'))
  while (isBusy() || !(await isPublished(root))) {
    if (performance.now() - begunMs > WAIT_MAX_MS) throw new Error('what follows a landing does not end')
    await sleep(LOOK_EVERY_MS)
  }
}

async function isPublished(root: string): Promise<boolean> {
  const words = ['rev-parse', 'refs/heads/main']
  const [own, landed] = await Promise.all(
    [root, join(root, '.axiom/integration.git')].map((cwd) => run('git', words, { cwd, env: ENVIRONMENT })),
  )
  return own?.stdout === landed?.stdout
}

async function runScript(folder: string, agent: string, task: string): Promise<void> {
  await mkdir(join(folder, 'scripted'), { recursive: true })
  await run('sh', ['-c', SCRIPT], {
    env: {
      ...ENVIRONMENT,
      AXIOM_TASK_ID: task,
      AGENT: agent,
      INTEGRATION: join(folder, 'peer.git'),
      WORKSPACE: join(folder, 'scripted', task),
      TRASH: join(folder, 'trash'),
    },
  })
}

const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Echo',
  GIT_AUTHOR_EMAIL: 'echo@example.invalid',
  GIT_COMMITTER_NAME: 'Echo',
  GIT_COMMITTER_EMAIL: 'echo@example.invalid',
}

async function makeRepository(root: string): Promise<void> {
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(join(root, '.axiom'))
  for (let i = 0; i < FILES; i += 1) {
    await writeFile(join(root, 'src', `file-${i}.js`), `export const value = ${i}\n`.repeat(50))
  }
  await writeFile(join(root, '.gitignore'), '.axiom/\n.workspaces/\n')
  await run('sh', ['-ec', 'git init -q -b main && git add -A && git commit -qm first'], {
    cwd: root,
    env: ENVIRONMENT,
  })
}
