import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAxiom } from '../cli/run-axiom.ts'

let root: string
let outside: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'axiom-walls-'))
  outside = mkdtempSync(join(tmpdir(), 'axiom-outside-'))
  // Whoever the command runs as could write here, were it not for the walls.
  chmodSync(outside, 0o777)
})
afterEach(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true })
})

/** A repository whose command reaches for what is not its own. */
function plant(): void {
  const reaching = `import { writeFileSync } from 'node:fs'
import test from 'node:test'
try { writeFileSync(${JSON.stringify(join(outside, 'reached'))}, '') } catch {}
test('passes', () => {})
`
  const files = {
    'package.json': '{"name": "a", "scripts": {"test": "node --test a.test.mjs"}}\n',
    'a.test.mjs': reaching,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: root })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Start')
}

interface Summary {
  readonly sandbox: string | null
  readonly proofs: readonly { readonly outcome: { readonly kind: string } }[]
}

async function init(env: Record<string, string> = {}): Promise<Summary> {
  plant()
  const ran = await runAxiom(root, ['init', '--yes', '--json'], { env, timeoutMs: 300_000 })
  expect(ran.exitCode, ran.stderr).toBe(0)
  return JSON.parse(ran.stdout) as Summary
}

describe('the commands of a repository', () => {
  it.each(['bwrap', 'unshare'])('are tried inside the sandbox at level %s', async (level) => {
    const { sandbox, proofs } = await init({ AXIOM_SANDBOX_LEVEL: level })
    expect(proofs.map(({ outcome }) => outcome.kind)).toEqual(['passed'])
    expect(sandbox).toBe(level)
    expect(existsSync(join(outside, 'reached'))).toBe(false)
  })

  it('run as the person where there is none, and that is said before they do', async () => {
    const env = { AXIOM_SANDBOX_LEVEL: 'process-group' }
    const { sandbox, proofs } = await init(env)
    expect(sandbox).toBe('none')
    expect(proofs.map(({ outcome }) => outcome.kind)).toEqual(['passed'])
    expect(existsSync(join(outside, 'reached'))).toBe(true)
    rmSync(join(root, '.axiom'), { recursive: true, force: true })
    const { stdout } = await runAxiom(root, ['init', '--yes'], { env, timeoutMs: 300_000 })
    const said = stdout.indexOf('This machine has no sandbox')
    expect(said).toBeGreaterThan(0)
    expect(said).toBeLessThan(stdout.indexOf('npm test'))
  })
})
