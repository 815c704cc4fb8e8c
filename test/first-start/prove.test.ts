import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/platform/process/run-command.ts'
import { runAxiom } from '../cli/run-axiom.ts'
import { FIXTURES, type Fixture } from '../fixtures/repositories.ts'

interface ShownProof {
  readonly name: string
  readonly command: string
  readonly outcome: {
    readonly kind: string
    readonly tool?: string
    readonly reason?: string
    readonly exitCode?: number
  }
  readonly seconds: number
}

interface Summary {
  readonly red: boolean
  readonly units: readonly {
    readonly folder: string
    readonly language: string
    readonly packageManager: string
  }[]
  readonly proofs: readonly ShownProof[]
  readonly config: { readonly verification: readonly { readonly command: string }[] }
}

async function plant(name: string, fixture: Fixture): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), `axiom-prove-${name}-`))
  for (const [path, text] of Object.entries(fixture)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    if (text.startsWith('#!')) await chmod(join(root, path), 0o755)
  }
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Start'],
  ]) {
    const { ending, stderr } = await runCommand({
      argv: ['git', ...identity, ...args],
      cwd: root,
      env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_GLOBAL: '/dev/null' },
      timeoutMs: 20_000,
    })
    expect(ending, stderr).toEqual({ kind: 'exited', exitCode: 0 })
  }
  return root
}

/** What a trial must show wherever Node, Python, make and a shell are there; other tool chains may be missing. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'node-npm': { test: 'passed', lint: 'passed', build: 'passed' },
  'node-npm-red': { test: 'failed', lint: 'passed' },
  'node-no-tests-script': { test: 'passed' },
  'node-npm-workspaces': { setup: 'passed', test: 'passed', build: 'passed' },
  'python-pip-unittest': { test: 'passed' },
  'mixed-front-and-back': { 'test backend': 'passed', 'test frontend': 'passed' },
  'nested-independent': { 'test JavaScript': 'passed', 'test tools/gen': 'passed' },
  'hooks-and-settings': { test: 'passed' },
  'c-make': { test: 'passed', build: 'passed' },
  'docs-only': {},
}

/** Tool chains whose first use may load packages from elsewhere; what came of it depends on the machine. */
const UNTOUCHED = ['package-lock.json', 'target']
const table: string[] = []

describe('every stack is looked at and tried', () => {
  it.each(Object.entries(FIXTURES))('%s', async (name, fixture) => {
    const root = await plant(name, fixture)
    try {
      const ran = await runAxiom(root, ['init', '--yes', '--json', '--prove-timeout', '120'], {
        timeoutMs: 600_000,
      })
      expect(ran.exitCode, ran.stderr).toBe(0)
      const summary = JSON.parse(ran.stdout) as Summary
      table.push(...rows(name, summary))
      const outcomes = Object.fromEntries(summary.proofs.map((proof) => [proof.name, proof.outcome.kind]))
      const expected = EXPECTED[name]
      if (expected) expect(outcomes).toEqual(expected)
      const proven = summary.proofs.filter(({ outcome }) => ['passed', 'failed'].includes(outcome.kind))
      const written = summary.config.verification.map(({ command }) => command)
      expect(written).toEqual(
        proven
          .filter((proof) => !/^setup/.test(proof.name))
          .map(({ command }) => expect.stringContaining(command)),
      )
      for (const path of UNTOUCHED.filter((one) => fixture[one] === undefined)) {
        await expect(readFile(join(root, path))).rejects.toMatchObject({ code: 'ENOENT' })
      }
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})

function rows(name: string, { units, proofs }: Summary): string[] {
  const stack = units
    .map(
      ({ folder, language, packageManager }) =>
        `${language}, ${packageManager}${folder === '' ? '' : ` (${folder})`}`,
    )
    .join('; ')
  if (proofs.length === 0) return [`| ${name} | ${stack || 'nothing known'} | – | – | – |`]
  return proofs.map((proof, i) => {
    const seconds = proof.seconds === 0 ? '–' : `${proof.seconds.toFixed(1)} s`
    return `| ${i === 0 ? name : ''} | ${i === 0 ? stack : ''} | ${proof.name}: \`${proof.command}\` | ${showOutcome(proof.outcome)} | ${seconds} |`
  })
}

function showOutcome({ kind, tool, reason, exitCode }: ShownProof['outcome']): string {
  if (kind === 'tool-missing') return `${tool} not installed`
  if (kind === 'failed') return `exit code ${exitCode}`
  return reason === undefined ? kind : `not run: ${reason}`
}

const HEAD = `# What first start finds and runs

Each of these small repositories (\`test/fixtures/repositories.ts\`) was set up by \`axiom init --yes\`: its commands were found from its files and each was run once in a fresh checkout of the last commit. Outcomes and times are those of one machine that has Node, Python, Rust, Java and make; a tool that it lacks, or cannot load its parts without a network, is shown as what \`init\` says about it. The wrappers \`mvnw\` and \`gradlew\` of these repositories are stand-ins that only end well. \`UPDATE_GOLDEN=1 npx vitest run --project first-start\` writes this page.

| repository | found | command | outcome | time |
|---|---|---|---|---|`

afterAll(async () => {
  if (!process.env.UPDATE_GOLDEN) return
  const page = resolve(import.meta.dirname, '../../docs/detection.md')
  await writeFile(page, [HEAD, ...table, ''].join('\n'))
})
