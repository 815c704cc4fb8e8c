import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import type { AgentRow, CaseSummary, Snapshot } from '../src/server/contract.ts'
import { readLog } from '../src/server/reading/read-log.ts'
import { launchChromium, openTab } from '../test/browser/chromium.ts'
import { scriptedCase, scriptedSnapshot } from '../test/browser/scripted-rows.ts'
import { PAGES, type ScriptedServer, startScripted } from '../test/browser/scripted-server.ts'
import { median, type Report } from './measure.ts'

const SCRIPT_BYTES_MAX = 150_000
const PAINT_MS_MAX = 200
const LOG_MS_MAX = 300
const HEAP_RATIO_MAX = 1.1
const CARDS = 200
const CASES = 20_000
const EVENTS_PER_SECOND = 1_000
const EVENTS_PER_MESSAGE = 10
const PAINT_SECONDS = 10
const LOG_LINES = 1_000_000
/** An hour of a busy project, ten changes a second, sent as fast as the page takes them. */
const HOUR_EVENTS = 36_000
const HOUR_PIECES = 36

export async function run(report: Report): Promise<void> {
  report(bounded('initial script, gzip', initialBytes(), 'bytes', SCRIPT_BYTES_MAX))
  const folder = await mkdtemp(join(tmpdir(), 'axiom-bench-ui-'))
  const rows = manyRows()
  const say = (place: string) => place
  await using server = await startScripted({
    rows: () => rows,
    say,
    readLog: (agents, file, place) => readLog(folder, agents, file, place),
  })
  const browser = await launchChromium()
  try {
    await writeLog(folder)
    await measureLog(browser, server, report)
    await measurePaint(browser, server, rows, report)
    await measureHeap(browser, server, rows, report)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function bounded(metric: string, value: number, unit: string, limit: number) {
  const ratio = value / limit
  return { name: 'ui', metric, value, unit, limit, ratio, target: `≤ ${limit} ${unit}`, met: value <= limit }
}

/** Everything that the first page loads before it can draw. */
function initialBytes(): number {
  const index = readFileSync(join(PAGES, 'index.html'), 'utf8')
  const files = [...index.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  return files
    .map((path) => gzipSync(readFileSync(join(PAGES, path))).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}

function manyRows(): Omit<Snapshot, 'cursor'> {
  const rows = scriptedSnapshot((place) => place)
  const [agent] = rows.agents
  if (agent === undefined) throw new Error('the script has no agent')
  return {
    ...rows,
    agents: Array.from({ length: CARDS }, (_, at) => agentAt(agent, at, 'a task')),
    live: [],
    cases: [...rows.cases, ...Array.from({ length: CASES }, (_, at) => caseAt(at, 'one of many'))],
  }
}

function agentAt(agent: AgentRow, at: number, title: string): AgentRow {
  return { ...agent, agent: `echo-${String(at + 1).padStart(3, '0')}`, title, indicator: 'running' }
}

const caseAt = (at: number, title: string): CaseSummary => scriptedCase(`task-${1_000 + at}`, title)

async function writeLog(folder: string): Promise<void> {
  const logs = join(folder, 'agents/echo/logs')
  await mkdir(logs, { recursive: true })
  const file = createWriteStream(join(logs, 'task-003.jsonl'))
  const line = (at: number) =>
    `${JSON.stringify({ timestamp: '2026-03-01T10:00:00Z', event: 'output', number: at, text: 'the words of an agent' })}\n`
  const PIECE = 1_000
  for (let at = 0; at < LOG_LINES; at += PIECE) {
    const text = Array.from({ length: PIECE }, (_, more) => line(at + more)).join('')
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

/** From the click to the painted end of the log, in the page's own time. */
const OPEN_LOG = `new Promise((resolve) => {
  const begun = performance.now()
  ;[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent === 'Log').click()
  const look = () => {
    const shown = document.querySelector('section[aria-label=Log]')?.textContent ?? ''
    if (shown.includes('number=${LOG_LINES - 1}')) requestAnimationFrame(() => resolve(performance.now() - begun))
    else requestAnimationFrame(look)
  }
  look()
})`

async function measureLog(browser: Browser, server: ScriptedServer, report: Report): Promise<void> {
  const { page } = await openTab(browser, server, { path: '/cases/task-003' })
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${server.url}/cases/task-003`)
    await page.getByRole('tab', { name: 'Log' }).waitFor()
    times.push((await page.evaluate(OPEN_LOG)) as number)
  }
  await page.context().close()
  const metric = `a log of ${LOG_LINES.toLocaleString('en')} lines opens, median of ${times.length}`
  report(bounded(metric, median(times), 'ms', LOG_MS_MAX))
}

/** Records for each stamp when the frame that shows it was presented. */
const NOTE_PAINTS = `window.paints = []
let last = ''
const look = () => {
  const stamp = document.querySelector('article p[title^="sent "]')?.title ?? ''
  if (stamp !== last) {
    last = stamp
    requestAnimationFrame(() => paints.push(Date.now() - Number(stamp.split(' ')[1])))
  }
  requestAnimationFrame(look)
}
look()`

async function measurePaint(
  browser: Browser,
  server: ScriptedServer,
  { agents }: Omit<Snapshot, 'cursor'>,
  report: Report,
): Promise<void> {
  const { page } = await openTab(browser, server)
  await page
    .locator('article')
    .nth(CARDS - 1)
    .waitFor()
  await page.evaluate(NOTE_PAINTS)
  const messages = (EVENTS_PER_SECOND / EVENTS_PER_MESSAGE) * PAINT_SECONDS
  const begun = Date.now()
  for (let sent = 0; sent < messages; sent += 1) {
    send(server, agents, sent, `sent ${Date.now()}`)
    const dueMs = begun + ((sent + 1) * EVENTS_PER_MESSAGE * 1_000) / EVENTS_PER_SECOND
    if (dueMs > Date.now()) await sleep(dueMs - Date.now())
  }
  const took = (Date.now() - begun) / 1_000
  const paints = ((await page.evaluate('paints')) as number[]).toSorted((a, b) => a - b)
  const p95 = paints[Math.floor(paints.length * 0.95)] ?? Number.NaN
  const rate = Math.round((messages * EVENTS_PER_MESSAGE) / took)
  const metric = `event to paint, p95 of ${paints.length}, at ${rate} events/s, ${CARDS} cards, ${CASES.toLocaleString('en')} cases`
  report(bounded(metric, p95, 'ms', PAINT_MS_MAX))
  await page.context().close()
}

/** One message: the stamped card, and as many other rows as make it full. */
function send(server: ScriptedServer, agents: readonly AgentRow[], sent: number, stamp: string): void {
  const [first] = agents
  if (first === undefined) throw new Error('the script has no agent')
  const many = Array.from({ length: EVENTS_PER_MESSAGE - 1 }, (_, at) => sent * EVENTS_PER_MESSAGE + at)
  server.change({
    upserts: {
      agents: [
        agentAt(first, 0, stamp),
        ...many.slice(0, 4).map((at) => agentAt(first, 1 + (at % (CARDS - 1)), `step ${at}`)),
      ],
      cases: many.slice(4).map((at) => caseAt(at % CASES, `changed ${at}`)),
    },
    events: [
      {
        at: new Date().toISOString(),
        id: 'task-001',
        by: 'echo-001',
        what: 'updated',
        reason: `step ${sent}`,
      },
    ],
  })
}

async function measureHeap(
  browser: Browser,
  server: ScriptedServer,
  { agents }: Omit<Snapshot, 'cursor'>,
  report: Report,
): Promise<void> {
  const { page } = await openTab(browser, server)
  await page
    .locator('article')
    .nth(CARDS - 1)
    .waitFor()
  const heaps: number[] = []
  const messages = HOUR_EVENTS / EVENTS_PER_MESSAGE / HOUR_PIECES
  for (let piece = 0; piece < HOUR_PIECES; piece += 1) {
    for (let at = 0; at < messages; at += 1)
      send(server, agents, piece * messages + at, `sent piece ${piece}`)
    await page.locator(`article p[title="sent piece ${piece}"]`).waitFor()
    heaps.push(await heapBytes(page))
  }
  await page.context().close()
  const quarter = HOUR_PIECES / 4
  const early = median(heaps.slice(0, quarter))
  const late = median(heaps.slice(-quarter))
  report({
    name: 'ui',
    metric: `heap in the last quarter of an hour of ${HOUR_EVENTS.toLocaleString('en')} events beside the first`,
    value: late / 1_000_000,
    unit: 'MB',
    limit: early / 1_000_000,
    ratio: late / early,
    target: `≤ ${HEAP_RATIO_MAX}`,
    met: late / early <= HEAP_RATIO_MAX,
  })
}

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
