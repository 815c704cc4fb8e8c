import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { startAxiom } from './demo-process.ts'

const AXIOM = resolve(import.meta.dirname, '../../bin/axiom.js')
const OPENED = '\u001b[?1049h'
const CLOSED = '\u001b[?1049l'

let root: string
let store: Store

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'axiom-watch-'))
  mkdirSync(join(root, '.axiom'))
  writeFileSync(join(root, '.axiom/config.json'), '{}')
  store = await openStore({ folder: join(root, '.axiom'), purpose: 'tests' })
  onTestFinished(async () => {
    await store.close()
    rmSync(root, { recursive: true, force: true })
  })
  await store.transact({
    by: 'user',
    commands: [
      { kind: 'create', type: 'operation', content: 'op' },
      { kind: 'create', type: 'task', parentId: 'op-001', content: 'Count the sheep' },
      { kind: 'claim', id: 'task-001', stage: 'develop', holder: 'echo-001', ttlMs: 600_000 },
    ],
  })
})

const show = (progress: number): void =>
  store.publishLive([
    { agent: 'echo-001', task: 'task-001', state: 'iteration', iteration: 2, elapsedMs: 9_000, progress },
  ])

/** Runs `axiom watch` on a terminal and does each thing when its words appear. */
async function watch(
  acts: readonly (readonly [words: string, act: (press: (keys: string) => void) => void])[],
  variables: Record<string, string> = {},
): Promise<{ code: number | null; shown: string }> {
  const line = `stty cols 80 rows 24; exec ${process.execPath} ${AXIOM} watch`
  const env = { PATH: process.env.PATH, HOME: root, TERM: 'xterm-256color', ...variables }
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = [...acts]
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    const [next] = waiting
    if (next === undefined || !shown.includes(next[0])) return
    waiting.shift()
    next[1]((keys) => child.stdin.write(keys))
  })
  const code = await new Promise<number | null>((settle) => child.on('close', settle))
  expect(
    waiting.map(([words]) => words),
    shown,
  ).toEqual([])
  return { code, shown }
}

it('watch draws what agents do as they do it, and q gives the terminal back', async () => {
  const { code, shown } = await watch([
    ['echo-001', () => show(40)],
    ['40 %', () => show(80)],
    ['80 %', (press) => press('q')],
  ])
  expect(code).toBe(0)
  expect(shown.indexOf(OPENED)).toBeGreaterThanOrEqual(0)
  expect(shown.lastIndexOf(CLOSED)).toBeGreaterThan(shown.lastIndexOf('80 %'))
  expect(shown).toContain('Count the sheep')
  expect(shown).toContain('\u001b[38;5;39m')
})

it('watch uses no colour where none is wanted, and leaves at Ctrl-C', async () => {
  const { code, shown } = await watch([['echo-001', (press) => press('\u0003')]], { NO_COLOR: '1' })
  expect(code).toBe(0)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
  expect(shown).not.toMatch(/\u001b\[[\d;]*m/)
  expect(shown).toContain(CLOSED)
})

it('watch prints a picture per change where a program reads, and says so where nobody can draw', async () => {
  const watching = startAxiom(['watch', '--json', '--cwd', root])
  await watching.until(({ type }) => type === 'picture')
  show(55)
  const changed = await watching.until(
    ({ agents }) => Array.isArray(agents) && (agents[0] as { progress?: number }).progress === 55,
  )
  expect(changed).toMatchObject({ type: 'picture', tasks: { total: 1, done: 0 } })
  await watching.kill()
  const blind = startAxiom(['watch', '--cwd', root])
  expect(await blind.ended).toBe(2)
  expect(blind.errors()).toContain('watch draws on a terminal')
})
