import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ash } from '../src/runs/ash.ts'
import { formatLogEntry, type LogEntry } from '../src/runs/execution-log.ts'
import type { RunRecord } from '../src/runs/run-ledger.ts'
import { spawnAgent } from '../src/runs/spawn-agent.ts'
import { openStore } from '../src/store/open-store.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import { SWARM } from '../src/vocabulary/swarm.ts'
import type { Vocabulary } from '../src/vocabulary/vocabulary.ts'
import { expectGolden } from './golden.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-records-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const BEGUN_MS = Date.parse('2026-01-13T10:00:00Z')
const ENTRIES: readonly (readonly [minute: number, LogEntry])[] = [
  [0, { event: 'start', task: 'task-001' }],
  [1, { event: 'iteration', number: 1, input: 'Add a greeting', output: 'I begin.' }],
  [2, { event: 'signal', type: 'PROGRESS', payload: '50' }],
  [2, { event: 'commit', commit: 'a'.repeat(40) }],
  [3, { event: 'wait', reason: 'AGENT_RATE_LIMITED: 429', until: '2026-01-13T11:00:00.000Z' }],
  [4, { event: 'signal', type: 'COMPLETE', payload: null }],
  [4, { event: 'verification', result: 'red', checks: ['unit: VERIFICATION_FAILED'] }],
  [4, { event: 'warning', kind: 'stuck', message: '5 iterations without a commit' }],
  [5, { event: 'complete', durationMs: 300_000, iterations: 3 }],
  [6, { event: 'failed', reason: 'exit code 3', durationMs: 300_000, iterations: 3 }],
]

describe('the execution log', () => {
  it.each([AXIOM, SWARM])('has its form in the vocabulary $name', (vocabulary) => {
    const lines = ENTRIES.map(([minute, entry]) =>
      formatLogEntry(vocabulary, BEGUN_MS + minute * 60_000, entry),
    )
    expectGolden(`runs/${vocabulary.name}-execution-log.jsonl`, `${lines.join('\n')}\n`)
  })

  it('keeps the end of a prompt and of an answer that are too long', () => {
    const text = `${'x'.repeat(100_000)} the end`
    const entry: LogEntry = { event: 'iteration', number: 1, input: text, output: text }
    const line = formatLogEntry(AXIOM, 0, entry)
    expect(line.length).toBeLessThan(33_000)
    expect(JSON.parse(line).output).toMatch(/^….*the end$/)
  })
})

const run = (changes: Partial<RunRecord> = {}): Omit<RunRecord, 'session'> => ({
  at: '2026-01-13T10:00:00.000Z',
  agent: 'echo-001',
  persona: 'echo',
  task: 'task-001',
  end: 'complete',
  iterations: 2,
  durationMs: 180_000,
  tokens: { input: 5_000, output: 1_500 },
  costUsd: 0.1234,
  ...changes,
})
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

async function writeFigures(vocabulary: Vocabulary): Promise<void> {
  const ash = await Ash.open(folder, vocabulary, 'dex-001')
  await Promise.all([
    ash.record(run()),
    ash.record(run({ agent: 'echo-002', task: 'task-002', iterations: 8, end: 'failed' })),
    ash.record(run({ task: 'task-003', end: 'pending', iterations: 1 })),
    ash.record(run({ task: 'task-003', at: '2026-01-13T11:00:00.000Z' })),
  ])
}

describe('the figures', () => {
  it.each([AXIOM, SWARM])('have their form in the vocabulary $name', async (vocabulary) => {
    await writeFigures(vocabulary)
    const files = ['agents/echo/metrics.json', 'metrics/session.json', 'metrics/agents/echo-001.json']
    const text = [...files, 'metrics/history.jsonl'].map((file) => `── ${file}\n${read(file)}`).join('')
    expectGolden(`runs/${vocabulary.name}-metrics.txt`, text)
  })

  it('are made from the history alone: lost or damaged views and a torn line do no harm', async () => {
    await writeFigures(AXIOM)
    const before = JSON.parse(read('agents/echo/metrics.json'))
    writeFileSync(join(folder, 'agents/echo/metrics.json'), '{broken')
    writeFileSync(join(folder, 'metrics/history.jsonl'), `${read('metrics/history.jsonl')}{"agent":"echo-0`)
    const ash = await Ash.open(folder, AXIOM, 'dex-002')
    await ash.record(run({ agent: 'echo-003', iterations: 9 }))
    expect(JSON.parse(read('agents/echo/metrics.json'))).toMatchObject({
      tasks: { completed: before.tasks.completed + 1, failed: before.tasks.failed },
      iterations: { total: before.iterations.total + 9, maxPerTask: 9 },
    })
    expect(JSON.parse(read('metrics/session.json'))).toMatchObject({
      session: 'dex-002',
      tasks: { completed: 1, failed: 0, successRate: 1 },
    })
  })
})

describe('the ids that Ash gives', () => {
  const open = () => openStore({ folder, purpose: 'tests' })

  it('spawn: each new agent of a persona gets the next, whoever is at work beside it', async () => {
    await using store = closing(await open())
    const allocate = (prefix: string) => store.allocate(prefix)
    const ids = await Promise.all(Array.from({ length: 20 }, () => spawnAgent(allocate, AXIOM, 'echo')))
    expect(ids.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, i) => `echo-${String(i + 1).padStart(3, '0')}`),
    )
    expect(await spawnAgent(allocate, AXIOM, 'critic')).toBe('critic-001')
    expect(await spawnAgent(allocate, SWARM, 'echo')).toMatch(/^ed-001$/)
    expect(JSON.parse(read('metrics/counters.json'))).toMatchObject({ echo: 20, critic: 1 })
  })

  it('restart: after AXIOM was away every persona goes on counting', async () => {
    for (const expected of [1, 2, 3]) {
      await using store = closing(await open())
      for (const persona of ['ava', 'dex'] as const) {
        const id = await spawnAgent((prefix) => store.allocate(prefix), AXIOM, persona)
        expect(id).toBe(`${persona}-00${expected}`)
      }
    }
  })

  it('respawn: the one in place of a dead one is a new one, even when the counter file is lost with it', async () => {
    const first = await open()
    expect(await spawnAgent((prefix) => first.allocate(prefix), AXIOM, 'max')).toBe('max-001')
    await first.close()
    writeFileSync(join(folder, 'metrics/counters.json'), 'lost')
    await using store = closing(await open())
    expect(await spawnAgent((prefix) => store.allocate(prefix), AXIOM, 'max')).toBe('max-002')
  })
})

function closing<T extends { close(): Promise<void> }>(store: T): T & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}
