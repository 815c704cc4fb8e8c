// What the store costs compared with the disk and the JSON parser that it is built on.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CaseIndex } from '../src/cases/case-index.ts'
import { CASE_TYPES } from '../src/cases/case-types.ts'
import type { CaseCommand } from '../src/cases/command.ts'
import { execute } from '../src/cases/execute.ts'
import { FileStore } from '../src/store/jsonl/file-store.ts'
import { seeded } from '../test/model/generate-commands.ts'
import { atLeast, atMost, median, type Report } from './measure.ts'

const NAME = 'store'
const ROUNDS = 5
/** Many rounds, because a round of writers is short and the speed of the disk varies. */
const WRITER_ROUNDS = 31
/** Until then the code is still being compiled, which happens once in a store that runs for hours. */
const WARM_UP_ROUNDS = 3
/** Short rounds, so that a garbage-collector pause affects few of them. */
const CALL_ROUNDS = 31
/** A task can be claimed once, and both indexes must have enough of them. */
const CLAIMS_PER_ROUND = 30

async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'axiom-bench-'))
  try {
    await writers(report, folder, 64, 12_800, 'durable mutations/s, 64 writers ÷ bound', atLeast(0.6))
    await writers(report, folder, 1, 1_500, 'one writer ÷ raw append+fdatasync', atLeast(0.7))
    await loading(report, folder)
    await growth(report)
    await dependencies(report)
    await thousandCreates(report, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A task as planning writes it: about a kilobyte as a line. */
function taskCommand(i: number): CaseCommand {
  return {
    kind: 'create',
    type: 'task',
    parentId: 'op-001',
    content: `Task ${i}: ${'the parser reads a header, a body and a trailer and reports each fault with its line; '.repeat(3)}`,
    tags: ['parser', 'quick-win'],
    metadata: {
      acceptanceCriteria: [
        'a fault is reported with its line',
        'the parser never throws',
        'a file of 1 GB is read in pieces',
      ],
      fileHints: ['src/parser.ts', 'src/parser.test.ts'],
    },
  }
}

const OPERATION: CaseCommand = { kind: 'create', type: 'operation', content: 'The parser' }

/** Commands as they come from a plan or over a socket: parsed, and built before the measurement. */
function taskCommands(count: number): CaseCommand[] {
  return Array.from(
    { length: count },
    (_, i) => JSON.parse(JSON.stringify(taskCommand(i + 1))) as CaseCommand,
  )
}

/** Lines per second of the disk alone: `batch` of them for each write and sync. */
function rawAppend(folder: string, lines: readonly string[], batch: number): number {
  const path = join(folder, 'raw.jsonl')
  const writes: Buffer[] = []
  for (let at = 0; at < lines.length; at += batch) {
    writes.push(Buffer.from(lines.slice(at, at + batch).join('')))
  }
  const fd = openSync(path, 'a')
  const began = performance.now()
  for (const bytes of writes) {
    writeSync(fd, bytes)
    fdatasyncSync(fd)
  }
  const seconds = (performance.now() - began) / 1000
  closeSync(fd)
  rmSync(path)
  return lines.length / seconds
}

/** Each value once, as in the store: a repeated value would come from the CPU cache. */
function stringifyRate(values: readonly unknown[]): number {
  const began = performance.now()
  let length = 0
  for (const value of values) length += JSON.stringify(value).length
  return length > 0 ? values.length / ((performance.now() - began) / 1000) : 0
}

async function writers(
  report: Report,
  folder: string,
  concurrency: number,
  count: number,
  metric: string,
  judge: ReturnType<typeof atLeast>,
): Promise<void> {
  const rates: number[] = []
  const bounds: number[] = []
  const ratios: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < WRITER_ROUNDS; round += 1) {
    const path = join(folder, `writers-${concurrency}-${round}`)
    const store = new FileStore({ folder: path })
    await store.transact({ commands: [OPERATION], by: 'user' })
    const commands = taskCommands(count)
    const began = performance.now()
    const writer = async () => {
      for (let command = commands.pop(); command; command = commands.pop()) {
        const answer = await store.transact({ commands: [command], by: 'user' })
        if (answer.kind !== 'committed') throw new Error(`a task was not taken: ${answer.kind}`)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, writer))
    const rate = count / ((performance.now() - began) / 1000)
    await store.close()
    const lines = readFileSync(join(path, 'cases.jsonl'), 'utf8')
      .split(/(?<=\n)/)
      .slice(1)
    if (lines.length !== count) throw new Error(`${lines.length} of ${count} tasks are in the file`)
    const raw = rawAppend(folder, lines, concurrency)
    const bound =
      concurrency === 1
        ? raw
        : 1 / (1 / raw + 1 / stringifyRate(lines.map((line): unknown => JSON.parse(line))))
    rmSync(path, { recursive: true, force: true })
    if (round < 0) continue
    rates.push(rate)
    bounds.push(bound)
    ratios.push(rate / bound)
  }
  const ratio = median(ratios)
  report({
    name: NAME,
    metric,
    value: median(rates),
    unit: '/s',
    limit: median(bounds),
    ratio,
    ...judge(ratio),
  })
}

async function loading(report: Report, folder: string): Promise<void> {
  const CASES = 100_000
  const path = join(folder, 'load')
  const store = new FileStore({ folder: path })
  for (let at = 0; at < CASES; at += 10_000) {
    const commands = Array.from({ length: 10_000 }, (_, i) =>
      (at + i) % 100 === 0 ? { ...OPERATION, as: 'op' } : { ...taskCommand(at + i), parentId: '$op' },
    )
    await store.transact({ commands, by: 'user' })
  }
  await store.compact()
  await store.close()

  const file = join(path, 'cases.jsonl')
  const bytes = readFileSync(file).length
  const loads: number[] = []
  const parses: number[] = []
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const parse = timed(() => {
      let count = 0
      for (const line of readFileSync(file, 'utf8').split('\n'))
        if (line !== '') count += JSON.parse(line) ? 1 : 0
      return count
    })
    const load = timed(() => new FileStore({ folder: path }))
    await load.result.close()
    if (round === 0) continue
    loads.push(load.ms)
    parses.push(parse.ms)
    ratios.push(load.ms / parse.ms)
  }
  const ratio = median(ratios)
  report({
    name: NAME,
    metric: 'load 100,000 cases ÷ pure JSON.parse of the file, results kept',
    value: median(loads),
    unit: 'ms',
    limit: median(parses),
    ratio,
    ...atMost(2)(ratio),
  })

  const before = heapBytes()
  const loaded = new FileStore({ folder: path })
  const heap = heapBytes() - before
  const share = heap / bytes
  report({
    name: NAME,
    metric: 'heap per case ÷ its JSON bytes, indexes included',
    value: heap / CASES,
    unit: 'bytes',
    limit: bytes / CASES,
    ratio: share,
    ...atMost(1.6)(share),
  })
  await loaded.close()
}

function timed<Result>(work: () => Result): { ms: number; result: Result } {
  globalThis.gc?.()
  const began = performance.now()
  const result = work()
  return { ms: performance.now() - began, result }
}

function heapBytes(): number {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

let uids = 0
const occasion = {
  now: '2026-01-01T00:00:00.000Z',
  by: 'user',
  newUid: () => `uid-${++uids}`,
  prefixOf: (type: keyof typeof CASE_TYPES) => CASE_TYPES[type].prefix,
}

/** Operations of a hundred small tasks each; one task in ten of them is ready, the others wait for it. */
function indexOf(cases: number): CaseIndex {
  const index = new CaseIndex()
  for (let at = 0; at < cases; at += 101) {
    const operation = execute(index, [OPERATION], occasion)
    const parentId = operation.kind === 'accepted' ? (operation.created[0] ?? '') : ''
    let first = ''
    for (let i = 0; i < 100; i += 1) {
      const dependsOn = i % 10 === 0 ? [] : [first]
      const task = execute(
        index,
        [{ kind: 'create', type: 'task', parentId, content: 'task', dependsOn }],
        occasion,
      )
      if (task.kind === 'refused') throw new Error(task.message)
      if (i % 10 === 0) first = task.created[0] ?? ''
    }
  }
  return index
}

/** Each call alternates between the small and the large index, so that both run under the same load. */
async function growth(report: Report): Promise<void> {
  const [small, large] = [callsOn(indexOf(10_000)), callsOn(indexOf(1_000_000))]
  globalThis.gc?.()
  for (const [metric, name, count] of [
    ['ready(100) at 1,000,000 ÷ at 10,000 cases', 'ready', 100],
    ['claim at 1,000,000 ÷ at 10,000 cases', 'claim', CLAIMS_PER_ROUND],
    ['create at 1,000,000 ÷ at 10,000 cases', 'create', 200],
  ] as const) {
    const rounds = Array.from({ length: CALL_ROUNDS }, () => {
      const beside = microseconds(count, small[name])
      return { value: microseconds(count, large[name]), beside }
    })
    const ratio = median(rounds.map(({ value, beside }) => value / beside))
    report({
      name: NAME,
      metric,
      value: median(rounds.map(({ value }) => value)),
      unit: 'µs',
      limit: median(rounds.map(({ beside }) => beside)),
      ratio,
      ...atMost(1.5)(ratio),
    })
  }
}

function microseconds(count: number, call: () => void): number {
  const began = performance.now()
  for (let i = 0; i < count; i += 1) call()
  return ((performance.now() - began) * 1000) / count
}

function callsOn(index: CaseIndex): Record<'ready' | 'claim' | 'create', () => void> {
  const claimable = index.ready()
  let created = 0
  const ids = Array.from({ length: CALL_ROUNDS * CLAIMS_PER_ROUND }, () => claimable.next().value ?? '')
  return {
    ready: () => {
      const records = []
      for (const id of index.ready()) {
        records.push(index.get(id))
        if (records.length === 100) break
      }
    },
    claim: () => {
      const id = ids.pop() ?? ''
      execute(index, [{ kind: 'claim', id, stage: 'develop', holder: 'echo-001', ttlMs: 60_000 }], occasion)
    },
    create: () => {
      created += 1
      execute(index, [{ ...taskCommand(created), parentId: 'op-002' } as CaseCommand], occasion)
    },
  }
}

/** Random edges that respect a random hidden order: nearly every one changes levels, none closes a circle. */
async function dependencies(report: Report): Promise<void> {
  const CASES = 100_000
  const EDGES = 100_000
  const random = seeded(7)
  const index = new CaseIndex()
  execute(index, [OPERATION], occasion)
  const ids: string[] = []
  for (let i = 0; i < CASES; i += 1) {
    const task = execute(
      index,
      [{ kind: 'create', type: 'task', parentId: 'op-001', content: 'task' }],
      occasion,
    )
    if (task.kind === 'accepted') ids.push(task.created[0] ?? '')
  }
  const shuffled = ids.toSorted(() => random() - 0.5)
  const times: number[] = []
  let refusals = 0
  while (times.length < EDGES) {
    const [a, b] = [Math.floor(random() * CASES), Math.floor(random() * CASES)]
    const [id, on] = [shuffled[Math.max(a, b)] ?? '', shuffled[Math.min(a, b)] ?? '']
    if (id === on) continue
    const began = performance.now()
    const outcome = execute(index, [{ kind: 'depend', id, on }], occasion)
    times.push(performance.now() - began)
    if (outcome.kind === 'refused') refusals += 1
  }
  const p99 = times.sort((a, b) => a - b)[Math.floor(EDGES * 0.99)] ?? Number.NaN
  if (refusals > EDGES / 1000) throw new Error(`${refusals} edges were refused`)
  report({
    name: NAME,
    metric: 'addDependency with cycle check, 100,000 edges: p99',
    value: p99,
    unit: 'ms',
    limit: 1,
    ratio: p99,
    ...atMost(1)(p99),
  })
}

async function thousandCreates(report: Report, folder: string): Promise<void> {
  const store = new FileStore({ folder: join(folder, 'thousand') })
  await store.transact({ commands: [OPERATION], by: 'user' })
  const times: number[] = []
  for (let i = 0; i < 1000; i += 1) {
    const began = performance.now()
    await store.transact({ commands: [taskCommand(i)], by: 'user' })
    times.push(performance.now() - began)
  }
  await store.close()
  const total = times.reduce((sum, ms) => sum + ms, 0)
  report({
    name: NAME,
    metric: '1,000 creates, one after the other',
    value: total,
    unit: 'ms',
    limit: 1000,
    ratio: total / 1000,
    ...atMost(1)(total / 1000),
  })
  const ratio = median(times.slice(-200)) / median(times.slice(0, 200))
  report({
    name: NAME,
    metric: 'the last 200 creates ÷ the first 200',
    value: median(times.slice(-200)),
    unit: 'ms',
    limit: median(times.slice(0, 200)),
    ratio,
    ...atMost(1.5)(ratio),
  })
}

await run((measure) => console.log(JSON.stringify(measure)))
