import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Ash } from '../../src/runs/ash.ts'
import { openStore } from '../../src/store/open-store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { start, temporaryFolder } from '../cli/axiom.ts'

const program = resolve(import.meta.dirname, '../../bin/axiom.js')

function openProject(): { root: string; folder: string } {
  const root = temporaryFolder()
  const folder = join(root, '.axiom')
  for (const path of ['logs', 'agents/echo/logs', 'agents/critic/logs'])
    mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ budgets: { directive: { tokens: 1_000 } } }))
  return { root, folder }
}

const entry = (number: number): string =>
  `${JSON.stringify({ timestamp: '2026-01-01T10:00:00.000Z', event: 'iteration', number, output: 'I did it' })}\n`

describe('axiom logs', () => {
  it('shows the last entries of a long log, and of what was compressed before it', async () => {
    const { root, folder } = openProject()
    const log = join(folder, 'agents/echo/logs/task-001.jsonl')
    writeFileSync(`${log}.1.gz`, gzipSync(entry(0)))
    writeFileSync(log, Array.from({ length: 50_000 }, (_, n) => entry(n + 1)).join(''))
    const { code, stdout } = await start(root, ['logs', 'task-001', '-n', '2', '--json'])
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { number: number }).number),
    ).toEqual([49_999, 50_000])
    writeFileSync(log, entry(1))
    const people = await start(root, ['logs', 'task-001'])
    expect(people.stdout).toBe(
      '10:00:00  iteration  number: 0  output: I did it\n10:00:00  iteration  number: 1  output: I did it\n',
    )
  })

  it('shows what an agent printed, and lets nothing of it steer the terminal', async () => {
    const { root, folder } = openProject()
    writeFileSync(join(folder, 'logs/echo-001-task-001.log'), 'hello \u001b[2J\u001b]0;pwned\u0007world\n')
    const { stdout } = await start(root, ['logs', 'echo-001'])
    expect(stdout).toBe('hello world\n')
    expect((await start(root, ['logs', 'task-001', '--output'])).stdout).toBe('hello world\n')
    const range = await start(root, ['logs', 'echo-001', '--range', '0-5', '--json'])
    expect(JSON.parse(range.stdout)).toEqual({ line: 'hello' })
  })

  it('says what there are logs of when there is none of that', async () => {
    const { root, folder } = openProject()
    const first = await start(root, ['logs', 'task-009', '--json'])
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('nothing has run')
    writeFileSync(join(folder, 'agents/critic/logs/task-001.jsonl'), entry(1))
    expect((await start(root, ['logs', 'task-009'])).stderr).toContain('task-001')
  })

  it('follows a log until it is asked to end, and then ends well', async () => {
    const { root, folder } = openProject()
    const log = join(folder, 'agents/echo/logs/task-001.jsonl')
    writeFileSync(log, entry(1))
    const child = spawn(process.execPath, [program, 'logs', 'task-001', '-f', '--json'], { cwd: root })
    onTestFinished(() => void child.kill('SIGKILL'))
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk))
    const until = async (count: number): Promise<void> => {
      while (seen.split('\n').length <= count) await new Promise((wait) => setTimeout(wait, 20))
    }
    await until(1)
    appendFileSync(log, entry(2) + entry(3))
    await until(3)
    const ended = new Promise<number | null>((done) => child.on('close', done))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(
      seen
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { number: number }).number),
    ).toEqual([1, 2, 3])
  })
})

describe('axiom metrics', () => {
  it('tells an estimate before the first run', async () => {
    const { root, folder } = openProject()
    const store = await openStore({ folder, purpose: 'tests' })
    await store.transact({
      commands: [
        { kind: 'create', type: 'directive', content: 'A need', as: 'd' },
        { kind: 'create', type: 'operation', parentId: '$d', content: 'An operation', as: 'o' },
        { kind: 'create', type: 'task', parentId: '$o', content: 'A task' },
      ],
      by: 'tests',
    })
    await store.close()
    const { stdout, code } = await start(root, ['metrics'])
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing has run yet.')
    expect(stdout).toContain('dir-001 A need')
    expect(stdout).toMatch(/expected {2}\d{5,} tokens, \d+ min, 3 runs with 1 open tasks \(an estimate/)
  })

  it('sums sessions, personas and agents, and warns of a budget that is used up', async () => {
    const { root, folder } = openProject()
    const store = await openStore({ folder, purpose: 'tests' })
    await store.transact({
      commands: [
        { kind: 'create', type: 'directive', content: 'A need', as: 'd' },
        { kind: 'create', type: 'operation', parentId: '$d', content: 'An operation', as: 'o' },
        {
          kind: 'create',
          type: 'task',
          parentId: '$o',
          content: 'A task',
          metadata: { spend: { tokens: 900, microUsd: 2_500_000, ms: 600_000, runs: 2 } },
        },
      ],
      by: 'tests',
    })
    await store.close()
    const run = (at: string, agent: string, end: 'complete' | 'failed') => ({
      at,
      agent,
      persona: 'echo',
      task: 'task-001',
      end,
      iterations: 2,
      durationMs: 60_000,
      tokens: { input: 100, output: 10 },
      costUsd: 0.5,
    })
    const first = await Ash.open(folder, AXIOM, 'dex-001')
    await first.record(run('2026-01-01T10:00:00.000Z', 'echo-001', 'complete'))
    const second = await Ash.open(folder, AXIOM, 'dex-002')
    await second.record(run('2026-01-02T10:00:00.000Z', 'echo-001', 'failed'))
    await second.record(run('2026-01-02T11:00:00.000Z', 'echo-002', 'complete'))
    const { stdout } = await start(root, ['metrics', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      total: { runs: 3, tasks: { completed: 2, failed: 1 }, tokens: { input: 300, estimatedCost: 1.5 } },
      sessions: [
        { name: 'dex-001', runs: 1 },
        { name: 'dex-002', runs: 2, firstAt: '2026-01-02T10:00:00.000Z', lastAt: '2026-01-02T11:00:00.000Z' },
      ],
      personas: [{ name: 'echo', runs: 3 }],
      agents: [
        { name: 'echo-001', runs: 2 },
        { name: 'echo-002', runs: 1 },
      ],
      directives: [{ id: 'dir-001', spend: { tokens: 900 }, standing: { kind: 'soft' } }],
      pressed: [{ id: 'dir-001', measure: 'tokens', spent: 900, limit: 1_000 }],
    })
    const people = await start(root, ['metrics'])
    expect(people.stdout).toContain('3 runs  2 completed, 1 failed (67 %)  6 iterations')
    expect(people.stdout).toContain('900 of 1000 tokens of dir-001 are spent')
  })
})
