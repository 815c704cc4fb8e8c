import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/schema.ts'
import { Failure } from '../../platform/failure.ts'
import { OutputTail } from '../../platform/process/output-tail.ts'
import { RotatingLog } from '../../platform/process/rotating-log.ts'
import { type SupervisedProcess, supervise } from '../../platform/process/supervise.ts'
import { Turnstile } from '../../platform/turnstile.ts'
import type { HookOrder, HookResult } from '../hands.ts'

const TIME_MAX_MS = 30_000
const STOP_GRACE_MS = 1_000
/** The end of each hook's output is kept: it shows why the hook failed. */
const OUTPUT_BYTES_MAX = 16 * 1024
/** The kernel refuses larger environments; a hook that needs more reads the case. */
const VALUE_CHARACTERS_MAX = 8_000
const HOOKS_AT_ONCE = 4
/** Hooks in the queue; a hook slower than the work it watches loses events, and the log records that. */
const WAITING_MAX = 200
const LOG_LIMITS = { fileBytesMax: 1024 * 1024, filesMax: 3 }

export interface HookGround {
  readonly hooks: Config['hooks']
  /** The user's work tree, where hooks run. */
  readonly root: string
  /** The user's own environment: hooks are the user's programs, not the agents'. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logFile: string
  now(): number
  /** For tests; hooks get 30 seconds each. */
  readonly timeMaxMs?: number
}

type Log = (order: HookOrder, fields: Readonly<Record<string, unknown>>) => Promise<void>

interface Ran {
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly output: string
  readonly durationMs: number
  readonly reason: string | null
}

/** Runs the user's own commands on project events. They are notified only: no work waits for them. */
export function openHooks(ground: HookGround): (order: HookOrder) => Promise<HookResult> {
  const turnstile = new Turnstile(HOOKS_AT_ONCE)
  const writing = new Turnstile(1)
  const log: Log = (order, fields) => writing.pass(() => writeLog(ground, order, fields))
  let waiting = 0
  return async (order) => {
    const lines = ground.hooks[order.event] ?? []
    if (lines.length === 0) return { failed: [] }
    if (waiting >= WAITING_MAX) {
      await log(order, { line: null, reason: `${waiting} hooks are waiting: this one was left out` })
      return { failed: lines.map((command) => ({ command, reason: 'too many hooks are waiting' })) }
    }
    waiting += 1
    try {
      return await turnstile.pass(() => runLines(ground, log, order, lines))
    } finally {
      waiting -= 1
    }
  }
}

async function runLines(
  ground: HookGround,
  log: Log,
  order: HookOrder,
  lines: readonly string[],
): Promise<HookResult> {
  const failed: { command: string; reason: string }[] = []
  for (const line of lines) {
    const { reason, ...ran } = await runLine(ground, order, line)
    if (reason !== null) failed.push({ command: line, reason })
    await log(order, { line, ...ran, ...(reason === null ? {} : { reason }) })
  }
  return { failed }
}

async function runLine(ground: HookGround, order: HookOrder, line: string): Promise<Ran> {
  const begunMs = performance.now()
  const ended = (fields: Partial<Ran>): Ran => ({
    exitCode: null,
    timedOut: false,
    output: '',
    reason: null,
    durationMs: Math.round(performance.now() - begunMs),
    ...fields,
  })
  try {
    const running = await supervise({
      program: 'sh',
      args: ['-c', line],
      cwd: ground.root,
      environment: environmentOf(ground, order),
      containment: 'group',
      wrapperDepth: 0,
    })
    return ended(await follow(running, ground.timeMaxMs ?? TIME_MAX_MS))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return ended({ reason: error.message })
  }
}

async function follow(running: SupervisedProcess, timeMaxMs: number): Promise<Partial<Ran>> {
  const output = new OutputTail(OUTPUT_BYTES_MAX)
  running.stdin.end()
  for (const stream of [running.stdout, running.stderr])
    stream.on('data', (chunk: Buffer) => output.add(chunk))
  const over = new AbortController()
  const late = sleep(timeMaxMs, 'late' as const, { signal: over.signal }).catch(() => 'ended' as const)
  const first = await Promise.race([running.ended.then(() => 'ended' as const), late])
  over.abort()
  const isLate = first === 'late'
  const end = isLate ? await running.stop(STOP_GRACE_MS) : await running.ended
  const reason = isLate
    ? `not done after ${timeMaxMs / 1_000} s, and ended`
    : end.exitCode === 0
      ? null
      : `ended with ${end.exitCode ?? end.signal}`
  return { exitCode: end.exitCode ?? null, timedOut: isLate, output: output.text(), reason }
}

/** An agent may have written the values: a value is plain text and cannot end the environment. */
function environmentOf({ environment }: HookGround, { event, variables }: HookOrder): Record<string, string> {
  const own = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const told = Object.entries({ HOOK: event, ...variables }).map(([name, value]) => [
    `AXIOM_${name}`,
    value.replaceAll('\0', '').slice(0, VALUE_CHARACTERS_MAX),
  ])
  return Object.fromEntries([...own, ...told]) as Record<string, string>
}

async function writeLog(
  ground: HookGround,
  { event, variables }: HookOrder,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const ts = new Date(ground.now()).toISOString()
  await using file = await RotatingLog.open(ground.logFile, LOG_LIMITS)
  await file.write(Buffer.from(`${JSON.stringify({ ts, hook: event, variables, ...fields })}\n`))
}
