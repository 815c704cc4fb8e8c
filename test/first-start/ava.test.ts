import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/platform/process/run-command.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import type { Step } from '../../src/sim/step.ts'
import { type Ran, runAxiom } from '../cli/run-axiom.ts'
import { countProcessesWith } from '../clients/scratch.ts'

const TIMEOUT_MS = 300_000
const MARKER = `axiom-ava-orphan-${process.pid}`
let base: string
let root: string
const at = (path: string): string => join(root, path)

const FILES = {
  'package.json': '{"name": "a", "scripts": {"test": "node --test"}}\n',
  'a.test.mjs': "import test from 'node:test'\ntest('passes', () => {})\n",
  'check.sh': 'test -f package.json\n',
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'axiom-ava-')))
  root = join(base, 'repository')
  await mkdir(join(base, 'temporary'))
  await mkdir(root)
  for (const [path, content] of Object.entries(FILES)) await writeFile(at(path), content)
  const identity = '-c user.name=T -c user.email=t@example.com'
  const line = `git init -q -b main && git add -A && git ${identity} commit -qm Start`
  await runCommand({
    argv: ['sh', '-c', line],
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root },
    timeoutMs: 60_000,
  })
})
afterEach(() => rm(base, { recursive: true, force: true }))

function propose(value: unknown, tag = 'AVA_COMPLETE'): Step {
  return { do: 'signal', tag, after: `This is it.\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` }
}

/** Starts `axiom init` with a simulated Ava who plays these entries. */
async function init(entries: readonly Entry[], ...args: string[]): Promise<Ran> {
  const playbook = join(base, 'playbook.json')
  await writeFile(playbook, JSON.stringify({ entries }))
  return start({ AXIOM_SIM_PLAYBOOK: playbook }, '--agent', 'sim', ...args)
}

function start(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  const options = { env: { TMPDIR: join(base, 'temporary'), ...env }, timeoutMs: TIMEOUT_MS }
  return runAxiom(root, ['init', '--yes', '--json', ...args], options)
}

async function commandsWritten(): Promise<string[]> {
  const { verification } = JSON.parse(await readFile(at('.axiom/config.json'), 'utf8'))
  return verification.map(({ command }: { command: string }) => command)
}

describe('a first start with an agent', () => {
  it('writes what she proposes once it has passed, and leaves no trace of her', async () => {
    const ran = await init([
      {
        role: 'onboarding',
        steps: [
          { do: 'run', command: 'git log --format=%s && sh check.sh', mustPass: true },
          { do: 'edit', file: 'check.sh', write: 'exit 1\n' },
          propose({ verification: ['npm test', { name: 'layout', command: 'sh check.sh' }] }),
        ],
      },
    ])
    expect(ran.exitCode, ran.stderr).toBe(0)
    const { ava } = JSON.parse(ran.stdout)
    expect(ava).toMatchObject({ driver: 'sim', result: 'proposal', iterations: 1, notes: [] })
    expect(await commandsWritten()).toEqual(['npm test', 'sh check.sh'])
    expect(await readFile(at('check.sh'), 'utf8')).toBe(FILES['check.sh'])
    expect(await readdir(join(base, 'temporary'))).toEqual([])
  })

  it('names a command that does not run, and does not write it', async () => {
    const lines = ['npm test', 'exit 3', 'cd . && no-such-tool', 'cd . && sh check.sh']
    const ran = await init([{ steps: [propose({ verification: lines })] }])
    const { ava } = JSON.parse(ran.stdout)
    expect(ava).toMatchObject({
      result: 'proposal',
      notes: [
        'not written: exit 3: exit code 3',
        'not written: cd . && no-such-tool: no-such-tool is not installed here',
      ],
    })
    expect(await commandsWritten()).toEqual(['npm test', 'cd . && sh check.sh'])
  })

  it('tries her commands inside the sandbox, where they reach nothing of the person’s', async () => {
    await writeFile(at('.env'), 'SECRET=1\n')
    const planted = join(base, 'planted')
    const reads = `cat ${at('.env')}`
    const ran = await init([{ steps: [propose({ verification: [reads, `echo x > ${planted}; true`] })] }])
    const { ava } = JSON.parse(ran.stdout)
    // Where none holds there is nothing to hold her commands either, and that is said.
    const isHeld = ava.sandbox !== 'no sandbox'
    expect(ava.notes.includes(`not written: ${reads}: exit code 1`)).toBe(isHeld)
    expect((await readdir(base)).includes('planted')).toBe(!isHeld)
  })

  it('reports her question where nobody can answer, and keeps the result of the rules', async () => {
    const ran = await init([{ steps: [{ do: 'ask', question: 'Which database do the tests need?' }] }])
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).ava).toMatchObject({
      result: 'rules',
      question: 'Which database do the tests need?',
      iterations: 1,
    })
    expect(await commandsWritten()).toEqual(['npm test'])
  })

  it('gives a proposal back once with its faults', async () => {
    const ran = await init([
      { iteration: 1, steps: [propose({ verification: [{ comand: 'sh check.sh' }] })] },
      { iteration: 2, resumed: true, steps: [propose({ verification: ['sh check.sh'] })] },
    ])
    const { ava } = JSON.parse(ran.stdout)
    expect(ava).toMatchObject({
      result: 'proposal',
      iterations: 2,
      notes: ['kept, though the proposal leaves it out: npm test'],
    })
    expect(await commandsWritten()).toEqual(['sh check.sh', 'npm test'])
  })

  it('gives up after the second proposal that cannot be used, and says why', async () => {
    const ran = await init([{ steps: [{ do: 'say', text: 'I am still looking.' }] }])
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).ava).toMatchObject({
      result: 'rules',
      reason: 'her proposal could not be used, and a second one neither',
      faults: [
        'the last message does not end with AVA_COMPLETE',
        'there is no fenced json block with the configuration',
      ],
      iterations: 2,
    })
    expect(await commandsWritten()).toEqual(['npm test'])
  })

  it('does not take a proposal that ends without her signal', async () => {
    const ran = await init([{ steps: [propose({ verification: ['sh check.sh'] }, 'PROGRESS')] }])
    expect(JSON.parse(ran.stdout).ava).toMatchObject({ result: 'rules', iterations: 2 })
    expect(await commandsWritten()).toEqual(['npm test'])
  })

  it('ends her at her time limit, with all that she started', async () => {
    const steps: Step[] = [{ do: 'double-fork', marker: MARKER, seconds: 300 }, { do: 'hang' }]
    const ran = await init([{ steps }], '--agent-timeout', '5')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).ava).toMatchObject({
      result: 'rules',
      reason: 'she was not done after 5 s',
    })
    expect(countProcessesWith(MARKER)).toBe(0)
    expect(await commandsWritten()).toEqual(['npm test'])
  })

  it('tells how she died, and goes on with the rules', async () => {
    const ran = await init([{ steps: [{ do: 'crash' }] }])
    expect(JSON.parse(ran.stdout).ava).toMatchObject({
      result: 'rules',
      reason: expect.stringContaining('ended as crashed'),
    })
    expect(await commandsWritten()).toEqual(['npm test'])
  })

  it('refuses a set-up under which the project does worse', async () => {
    const proposal = { verification: ['npm test'], workspace: { setup: ['rm package.json'] } }
    const ran = await init([{ steps: [propose(proposal)] }])
    expect(JSON.parse(ran.stdout).ava).toMatchObject({
      result: 'rules',
      reason: expect.stringMatching(/npm test passed by the rules and does not with it/),
    })
    expect(JSON.parse(await readFile(at('.axiom/config.json'), 'utf8'))).not.toHaveProperty('workspace')
  })

  it('speaks the words of the other vocabulary, and proposes what the rules found when left alone', async () => {
    const ran = await start({}, '--agent', 'sim', '--vocabulary', 'swarm')
    expect(JSON.parse(ran.stdout).ava, ran.stderr).toMatchObject({ result: 'proposal', iterations: 1 })
  })

  it('is held at a later start as well, and changes nothing but the commands', async () => {
    await start({})
    await runAxiom(root, ['config', 'set', 'agents.maxConcurrent', '7'])
    const ran = await init([{ steps: [propose({ verification: ['npm test', 'sh check.sh'] })] }])
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(await commandsWritten()).toEqual(['npm test', 'sh check.sh'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ start: 'later' })
    expect(JSON.parse(await readFile(at('.axiom/config.json'), 'utf8')).agents.maxConcurrent).toBe(7)
  })
})

describe('an agent that may not start', () => {
  const AGENT = `echo '${'```'}json'; echo '{"verification": ["sh check.sh"]}'; echo '${'```'}'; echo; echo '<axiom>AVA_COMPLETE</axiom>'`
  const env = { AXIOM_AGENTS_COMMAND: JSON.stringify(['sh', '-c', AGENT]) }
  const unsandboxed = { ...env, AXIOM_SANDBOX_LEVEL: 'process-group' }

  it('needs a person’s word where no sandbox holds, unless it is simulated', async () => {
    const refused = await start(unsandboxed, '--agent', 'command')
    expect(refused.exitCode).toBe(4)
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'SANDBOX_MISSING' } })
    expect(await readdir(root)).not.toContain('.axiom')

    const allowed = await start(unsandboxed, '--agent', 'command', '--allow-unsandboxed')
    expect(JSON.parse(allowed.stdout).ava).toMatchObject({ result: 'proposal', sandbox: 'no sandbox' })
    expect(await commandsWritten()).toEqual(['sh check.sh', 'npm test'])

    await rm(at('.axiom'), { recursive: true })
    const simulated = await start({ AXIOM_SANDBOX_LEVEL: 'process-group' }, '--agent', 'sim')
    expect(JSON.parse(simulated.stdout).ava).toMatchObject({ result: 'proposal', sandbox: 'no sandbox' })
  })

  it('is looked for where it is configured, by name and in the prerequisites', async () => {
    await mkdir(at('.git/tools'))
    const wrapper = at('.git/tools/wrapper')
    await writeFile(wrapper, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const configured = {
      PATH: '/usr/bin:/bin',
      AXIOM_SANDBOX_LEVEL: 'process-group',
      AXIOM_AGENTS_DRIVER: 'claude',
      AXIOM_AGENTS_COMMAND: JSON.stringify([wrapper]),
      ANTHROPIC_API_KEY: 'none',
    }
    const refused = await start(configured, '--agent', 'claude')
    // Past the search for the program: what stops it is that no sandbox holds.
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'SANDBOX_MISSING' } })
    const ran = await start({ ...configured, PATH: process.env.PATH ?? '' }, '--no-prove')
    expect(JSON.parse(ran.stdout).prerequisites).toContainEqual({
      name: 'claude',
      status: 'ok',
      found: `${wrapper}, login by ANTHROPIC_API_KEY`,
    })
    expect(JSON.parse(await readFile(at('.axiom/config.json'), 'utf8'))).toMatchObject({
      agents: { driver: 'claude' },
    })
  })

  it.each([
    [['--agent', 'sim', '--no-prove'], 2, 'USAGE'],
    [['--agent', 'command'], 2, 'USAGE'],
    [['--agent', 'opencode'], 4, 'PREREQ_NO_AGENT'],
    [['--agent', 'sim', '--agent-timeout', '0'], 2, 'USAGE'],
  ])('is refused before anything is written: %s', async (args, exitCode, code) => {
    const ran = await start({ PATH: '/usr/bin:/bin' }, ...args)
    expect(ran.exitCode, ran.stderr).toBe(exitCode)
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code } })
    expect(await readdir(root)).not.toContain('.axiom')
  })
})
