import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../../../platform/failure.ts'
import { findTail } from '../../../platform/files/tail-file.ts'
import { parseWhole } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { findProject } from '../../project.ts'
import { jsonText } from '../../render/json-text.ts'
import { plainLine } from '../../render/plain-text.ts'
import { findLogs, type LogFile, listLogged } from './find-logs.ts'
import { follow, lastLines, rangeOf } from './log-lines.ts'
import { entryJson, entryText } from './log-text.ts'

const LINES = 100
const NAMES_SHOWN_MAX = 20

interface Options {
  readonly follow?: boolean
  readonly lines: number
  readonly output?: boolean
  readonly range?: Range
}

interface Range {
  readonly from: number
  readonly to: number
}

export function define(command: Command, context: () => Context): void {
  command
    .argument('<agent-or-id>', 'an agent, or a task')
    .option('-f, --follow', 'go on with what is written from now on, until it is stopped')
    .option('-n, --lines <n>', 'so many of the last lines', parseWhole, LINES)
    .option('--output', 'what the program of the agent printed, instead of what its runs did')
    .option('--range <from-to>', 'these bytes of the newest log', parseRange)
    .action((word: string, options: Options) => showLogs(context(), word, options))
  withExamples(
    command,
    'axiom logs task-004',
    'axiom logs echo-003 -f',
    'axiom logs task-004 --output --lines 500',
    'axiom logs task-004 --range 0-65536 --json',
  )
}

function parseRange(text: string): Range {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? []
  if (from === undefined) throw new InvalidArgumentError('a range is written FROM-TO, in bytes')
  return { from: Number(from), to: to === undefined ? Number.POSITIVE_INFINITY : Number(to) }
}

async function showLogs(context: Context, word: string, options: Options): Promise<void> {
  const { folder } = findProject(context.cwd)
  const logs = await chooseLogs(folder, word, options)
  const newest = logs.at(-1)
  if (!newest) throw await nothingLogged(folder, word)
  if (options.range) {
    for await (const line of rangeOf(newest, options.range.from, options.range.to))
      show(context, newest, line)
    return
  }
  if (!options.follow || newest.isCompressed) {
    for await (const line of lastLines(logs, options.lines)) show(context, newest, line)
    return
  }
  const stop = stopSignal()
  const from = await findTail(newest.path, options.lines)
  for await (const line of follow(newest, from, stop)) show(context, newest, line)
}

/** Execution entries by default, or all logs where there are none; only program output with `--output`. */
async function chooseLogs(folder: string, word: string, { output }: Options): Promise<LogFile[]> {
  const all = await findLogs(folder, word)
  const wanted = all.filter(({ kind }) => kind === (output ? 'output' : 'entries'))
  return wanted.length > 0 || output ? wanted : all
}

async function nothingLogged(folder: string, word: string): Promise<Failure> {
  const names = await listLogged(folder)
  const some = names.slice(-NAMES_SHOWN_MAX).join(', ')
  return new Failure('NotFound', `nothing is logged of ${word}`, {
    hint: names.length > 0 ? `there are logs of: ${some}` : 'nothing has run in this project yet',
  })
}

function show(context: Context, { kind }: LogFile, line: string): void {
  if (context.json) context.out(jsonText(kind === 'entries' ? entryJson(line) : { line }))
  else context.out(kind === 'entries' ? entryText(context.colors, line) : plainLine(line))
}

/** A signal or a closed pipe is the normal end of following a log, not an error. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  process.stdout.once('error', end)
  return stop.signal
}
