import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Check } from '../../src/config/work-options.ts'
import {
  explainFault,
  type ProofOutcome,
  type ProofPorts,
  proveCompletion,
} from '../../src/verification/prove-completion.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { openCheckout } from '../../src/workspaces/open-checkout.ts'
import { emptyTrash } from '../../src/workspaces/remove-workspace.ts'
import { setUpCheckout } from '../../src/workspaces/set-up-checkout.ts'
import { slotVariables } from '../../src/workspaces/slot-variables.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'
import { level, runnerFor } from './sandbox.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

let scratch: Scratch
let workspace: Workspace
beforeEach(async () => {
  scratch = await openScratch({
    '.gitignore': 'node_modules/\nlocal.js\n*.log\n',
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'sum.js': 'export const sum = (a, b) => a + b\n',
    'sum.test.js':
      "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
  })
  workspace = await createWorkspace(scratch.ground, { agent: 'echo-001', task: 'task-001', slot: 2 })
})
afterEach(() => scratch.remove())

const check = (command: string, changes: Partial<Check> = {}): Check => ({
  name: command,
  command,
  timeout: 60,
  required: true,
  environments: {},
  ...changes,
})

async function prove(checks: Check[], setup: string[] = []): Promise<ProofOutcome> {
  const { ground } = scratch
  const run = runnerFor(scratch)
  const slot = slotVariables(workspace.slot, 'sample', {})
  const ports: ProofPorts = {
    git: ground.git,
    integration: ground.integration,
    hasSetUp: setup.length > 0,
    openCheckout: (commit) => openCheckout(ground, commit),
    run,
    now: () => Date.now(),
    async setUp(checkout) {
      const done = await setUpCheckout({
        checkout,
        commands: setup,
        copy: { from: scratch.user, files: [], excludeIn: [] },
        slot,
        timeoutMs: 60_000,
        cache: { folder: join(scratch.root, 'caches/proofs'), machine: 'test', fill: false },
        run,
      })
      if (done.kind === 'ready') return { kind: 'ready' }
      return { kind: 'failed', command: done.command, output: done.result.stdout + done.result.stderr }
    },
  }
  const seen = await inspectWorkspace(ground, workspace)
  return proveCompletion(ports, {
    claim: { base: workspace.base, head: seen.exported, uncommitted: seen.uncommitted, nested: seen.nested },
    task: 'task-001',
    agent: 'echo-001',
    iteration: 1,
    checks,
    environment: slot.environment,
    machine: { platform: process.platform, sandbox: level },
  })
}

const commit = (line: string): string =>
  sh(workspace.path, `${line} && git add -A && git commit -qm work && git rev-parse HEAD`)

describe('the proof of completion', () => {
  it('binds the commit, its tree, the commands, the environment and what the tests said', async () => {
    const head = commit("echo 'export const half = (a) => a / 2' > half.js")
    const outcome = await prove([
      check('npm test'),
      check('test "$MODE" = "$AXIOM_AGENT"', { name: 'matrix', environments: { one: { MODE: 'echo-001' } } }),
    ])
    expect(outcome).toMatchObject({ kind: 'proven', empty: false })
    if (outcome.kind !== 'proven') return
    const { proof } = outcome
    expect(proof).toMatchObject({
      commit: head,
      tree: sh(workspace.path, 'git rev-parse HEAD^{tree}'),
      base: workspace.base,
      commands: [
        { name: 'npm test', command: 'npm test' },
        { name: 'matrix', environment: 'one' },
      ],
      environment: { AXIOM_SLOT: '2', AXIOM_PORT: '20040', sandbox: level },
      counts: { passed: 1, failed: 0, unknown: 1 },
      flagged: [],
    })
    await emptyTrash(scratch.ground)
    expect(readdirSync(scratch.ground.workspacesDir).toSorted()).toEqual(['.trash', 'echo-001-task-001'])
  })

  it('tells set-ups and checks that nobody is there, unless a check says otherwise', async () => {
    commit('echo x > x')
    const unattended = 'test "$CI" = 1'
    const attended = check('test "$CI" = 0', { environments: { person: { CI: '0' } } })
    expect(await prove([check(unattended), attended], [unattended])).toMatchObject({ kind: 'proven' })
  })

  it('fails when the work rests on a file that only the workspace has', async () => {
    commit("echo 'import \"./local.js\"' >> sum.js && echo '// here' > local.js")
    expect(sh(workspace.path, 'npm test >/dev/null 2>&1 && echo green')).toBe('green')
    const outcome = await prove([check('npm test')])
    expect(outcome.kind).toBe('red')
    if (outcome.kind === 'red') expect(outcome.checks[0]?.feedback).toContain('local.js')
  })

  it('sends a claim back with its reason: no commit, a dirty tree, a repository inside, another history', async () => {
    expect(await prove([])).toEqual({ kind: 'refused', faults: [{ kind: 'no-commit' }] })
    commit('echo x > x')
    write(workspace.path, { 'left.txt': 'left' })
    expect(await prove([])).toEqual({
      kind: 'refused',
      faults: [{ kind: 'dirty-tree', files: ['left.txt'] }],
    })
    sh(workspace.path, 'rm left.txt && mkdir in && cd in && git init -q && echo y > y')
    expect(await prove([])).toEqual({
      kind: 'refused',
      faults: [{ kind: 'nested-repository', folders: ['in'] }],
    })
    sh(workspace.path, 'rm -rf in && git checkout -q --orphan other && git commit -qm other')
    const outcome = await prove([])
    expect(outcome).toMatchObject({ kind: 'refused', faults: [{ kind: 'unrelated-history' }] })
    if (outcome.kind === 'refused') expect(outcome.faults.map(explainFault).join()).toContain(workspace.base)
  })

  it('says when there was nothing to check with', async () => {
    commit('echo x > x')
    expect(await prove([])).toMatchObject({ kind: 'proven', empty: true })
  })

  it('runs the set-up on the fresh checkout, and stops when it fails', async () => {
    commit('echo x > x')
    expect(await prove([check('grep made-2 made.log')], ['echo made-{slot} > made.log'])).toMatchObject({
      kind: 'proven',
    })
    expect(await prove([check('true')], ['echo no packages >&2; exit 3'])).toMatchObject({
      kind: 'set-up-failed',
      output: expect.stringContaining('no packages'),
    })
  })

  it('flags a change of the checks themselves, and leaves other changes of the same files alone', async () => {
    commit(
      `echo '{"type":"module","scripts":{"test":"true"}}' > package.json && mkdir -p .github/workflows scripts
       echo x > .github/workflows/ci.yml && echo x > vitest.config.ts && echo 'exit 0' > scripts/check.sh && git rm -q sum.test.js`,
    )
    const outcome = await prove([check('sh scripts/check.sh')])
    expect(outcome).toMatchObject({ kind: 'proven' })
    if (outcome.kind !== 'proven') return
    expect(outcome.proof.flagged).toEqual([
      { path: '.github/workflows/ci.yml', kind: 'ci' },
      { path: 'package.json', kind: 'scripts' },
      { path: 'scripts/check.sh', kind: 'named-in-command' },
      { path: 'sum.test.js', kind: 'test-removed' },
      { path: 'vitest.config.ts', kind: 'runner' },
    ])
  })

  it('does not flag a new dependency or a new test', async () => {
    commit(
      `echo '{"type":"module","scripts":{"test":"node --test"},"dependencies":{"x":"1"}}' > package.json
       echo "import test from 'node:test'; test('more', () => {})" > more.test.js`,
    )
    const outcome = await prove([check('npm test')])
    expect(outcome).toMatchObject({ kind: 'proven', proof: { flagged: [], counts: { passed: 2 } } })
  })
})

describe('a check that misbehaves', () => {
  it('is red when its runner ran nothing, though it ended well', async () => {
    commit('git rm -q sum.test.js')
    const outcome = await prove([check('npm test')])
    expect(outcome).toMatchObject({
      kind: 'red',
      checks: [{ code: 'VERIFICATION_FAILED', tests: { passed: 0 } }],
    })
  })

  it('is killed with all its processes when its time is up', async () => {
    commit('echo x > x')
    const mark = `${workspace.name}-${process.pid}-hang`
    const outcome = await prove([
      check(`(setsid sh -c 'trap "" TERM; while :; do sleep 1; : ${mark}; done' &) ; sleep 600`, {
        timeout: 1,
      }),
    ])
    expect(outcome).toMatchObject({ kind: 'red', checks: [{ code: 'VERIFICATION_TIMEOUT' }] })
    expect(await gone(mark)).toBe(true)
  })

  it('does not leave behind a process that outlives its green end', async () => {
    commit('echo x > x')
    const mark = `${workspace.name}-${process.pid}-stay`
    const outcome = await prove([
      check(`setsid sh -c 'while :; do sleep 1; : ${mark}; done' >/dev/null 2>&1 & true`),
    ])
    expect(outcome.kind).toBe('proven')
    expect(await gone(mark)).toBe(true)
  })

  it('cannot kill its parent, nor write the repository it was checked out from', async () => {
    commit('echo x > x')
    await inspectWorkspace(scratch.ground, workspace)
    const before = sh(scratch.ground.integration.gitDir, 'git for-each-ref | sha1sum; git fsck 2>&1')
    const objects = scratch.ground.integration.objects
    const outcome = await prove([
      check(
        `kill -9 $PPID; kill -9 -1; rm -rf .git; rm -rf ${objects}/* ; echo x > ${objects}/planted; true`,
      ),
      check('true'),
    ])
    expect(['proven', 'red']).toContain(outcome.kind)
    expect(sh(scratch.ground.integration.gitDir, 'git for-each-ref | sha1sum; git fsck 2>&1')).toBe(before)
    expect(existsSync(join(objects, 'planted'))).toBe(false)
  })

  it('is called flaky when it passes the second time on the same commit', async () => {
    commit('echo x > x')
    const outcome = await prove([check('test -e seen.log || { touch seen.log; exit 1; }')])
    expect(outcome).toMatchObject({ kind: 'proven', proof: { flaky: [expect.any(String)] } })
  })

  it('keeps nothing from landing when it is optional', async () => {
    commit('echo x > x')
    const outcome = await prove([check('exit 1', { required: false }), check('true')])
    expect(outcome).toMatchObject({
      kind: 'proven',
      checks: [{ code: 'VERIFICATION_FAILED' }, { code: undefined }],
    })
  })
})

/** The kernel ends a namespace right after its first process, not with it; two seconds are the bound. */
async function gone(mark: string): Promise<boolean> {
  for (let tries = 0; tries < 200 && survivors(mark) > 0; tries += 1)
    await new Promise((go) => setTimeout(go, 10))
  return survivors(mark) === 0
}

function survivors(mark: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => existsSync(`/proc/${pid}/cmdline`) && commandLine(pid).includes(mark)).length
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
