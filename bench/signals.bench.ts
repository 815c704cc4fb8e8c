import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SignalParser } from '../src/signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES } from '../src/vocabulary/signal-names.ts'
import { atLeast, atMost, median, type Report } from './measure.ts'

const GOLDEN = resolve(import.meta.dirname, '../test/golden/signals')
const TRANSCRIPT_BYTES = 32 * 1024 * 1024
/** What an agent says and prints in one iteration before it ends with its signals. */
const ITERATION_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024
const ROUNDS = 9
/** AXIOM runs for hours, so the compilation in the first second is excluded. */
const WARM_UP_ROUNDS = 3
const FLOOD_BYTES = 1024 * 1024 * 1024
const FLOOD_RSS_MB_MAX = 150
const MEGABYTE = 1_000_000

export async function run(report: Report): Promise<void> {
  measureThroughput(report)
  await measureFlood(report)
}

/** Parser and scan alternate on the same bytes, so that a slow moment of the machine affects both. */
function measureThroughput(report: Report): void {
  const iterations = makeIterations()
  const bytes = iterations.reduce((sum, iteration) => sum + iteration.length, 0)
  const parsed: number[] = []
  const scanned: number[] = []
  let signals = 0
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    parsed.push(
      bytesPerSecond(bytes, () => {
        signals = iterations.reduce((sum, iteration) => sum + parse(iteration), 0)
      }),
    )
    scanned.push(
      bytesPerSecond(bytes, () => {
        for (const iteration of iterations) countLines(iteration)
      }),
    )
  }
  if (signals < iterations.length)
    throw new Error(`only ${signals} signals in ${iterations.length} iterations`)
  const value = median(parsed.slice(WARM_UP_ROUNDS)) / MEGABYTE
  const limit = median(scanned.slice(WARM_UP_ROUNDS)) / MEGABYTE
  const ratio = value / limit
  const metric = "parser on transcripts ÷ indexOf scan for '\\n' of the same bytes"
  report({ name: 'signals', metric, value, unit: 'MB/s', limit, ratio, ...atLeast(0.3)(ratio) })
}

/** Iterations of realistic length: the golden transcripts without signals, then one complete transcript. */
function makeIterations(): Buffer[] {
  const transcripts = readdirSync(GOLDEN)
    .filter((file) => /^(?:developer|critic|auditor|analyst|resolver|planner|prose)-.*\.txt$/.test(file))
    .map((file) => readFileSync(join(GOLDEN, file)))
  const talk = transcripts.map(withoutSignals)
  const iterations: Buffer[] = []
  for (let bytes = 0, turn = 0; bytes < TRANSCRIPT_BYTES; turn += 1) {
    const parts: Buffer[] = []
    for (let size = 0, i = turn; size < ITERATION_BYTES; i += 1) {
      const part = talk[i % talk.length] ?? Buffer.alloc(0)
      parts.push(part)
      size += part.length
    }
    parts.push(
      transcripts[turn % transcripts.length] ?? Buffer.alloc(0),
      Buffer.from('\n<axiom>COMPLETE</axiom>\n'),
    )
    const iteration = Buffer.concat(parts)
    iterations.push(iteration)
    bytes += iteration.length
  }
  return iterations
}

/** The same text without its signal lines: most output of an agent contains no signal. */
function withoutSignals(transcript: Buffer): Buffer {
  const lines = transcript.toString('utf8').split('\n')
  return Buffer.from(
    `${lines.filter((line) => !/<axiom>|^[A-Z]{2,}[A-Z_ ]*(?::|$)/.test(line)).join('\n')}\n`,
  )
}

function parse(iteration: Buffer): number {
  const parser = new SignalParser({ names: AXIOM_SIGNAL_NAMES })
  let findings = 0
  for (let at = 0; at < iteration.length; at += CHUNK_BYTES) {
    findings += parser.feed(iteration.subarray(at, at + CHUNK_BYTES)).length
  }
  return findings + parser.end().length
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}

function bytesPerSecond(bytes: number, work: () => void): number {
  const begun = performance.now()
  work()
  return (bytes * 1000) / (performance.now() - begun)
}

/**
 * The built program, in a separate process, reads 1 GB without a line feed; the kernel reports its peak
 * memory.
 */
async function measureFlood(report: Report): Promise<void> {
  const program = resolve(import.meta.dirname, '../bin/axiom.js')
  const child = spawn(process.execPath, [program, 'signals', '-', '--json'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const chunk = Buffer.alloc(CHUNK_BYTES, 'a<axiom>PROGRESS:1</axiom> [AGENT ')
  let peak = 0
  for (let sent = 0; sent < FLOOD_BYTES; sent += chunk.length) {
    if (!child.stdin.write(chunk))
      await new Promise((resolveDrain) => child.stdin.once('drain', resolveDrain))
    if (sent % (64 * CHUNK_BYTES) === 0) peak = Math.max(peak, peakRssMegabytes(child.pid))
  }
  peak = Math.max(peak, peakRssMegabytes(child.pid))
  child.stdin.end()
  const code = await new Promise((resolveExit) => child.once('exit', resolveExit))
  if (code !== 0) throw new Error(`axiom signals ended with ${code}`)
  const metric = '1 GB without newline: peak RSS of axiom signals'
  const verdict = atMost(FLOOD_RSS_MB_MAX)(peak)
  report({
    name: 'signals',
    metric,
    value: peak,
    unit: 'MB',
    limit: FLOOD_RSS_MB_MAX,
    ratio: peak / FLOOD_RSS_MB_MAX,
    ...verdict,
  })
}

function peakRssMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024) / MEGABYTE
}
