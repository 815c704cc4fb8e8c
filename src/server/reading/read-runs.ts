import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { count, fields } from '../../events/task-standing.ts'
import type { Run } from '../contract.ts'
import { text } from './loose-values.ts'

/** How much of the end of the run history is searched; it covers years of work. */
const HISTORY_BYTES_MAX = 8 * 1024 * 1024
const RUNS_MAX = 200

/** The finished runs of a task, oldest first. */
export async function readRuns(projectFolder: string, task: string): Promise<Run[]> {
  const history = await readEnd(join(projectFolder, 'metrics/history.jsonl'))
  const mark = JSON.stringify(task)
  return history
    .split('\n')
    .filter((line) => line.includes(mark))
    .flatMap((line) => readRun(line, task))
    .slice(-RUNS_MAX)
}

function readRun(line: string, task: string): Run[] {
  const run = fields(parse(line))
  if (run.task !== task) return []
  const { input, output } = fields(run.tokens)
  return [
    {
      agent: text(run.agent),
      agents: text(run.persona),
      end: text(run.end),
      endedAt: text(run.at),
      durationMs: count(run.durationMs),
      iterations: count(run.iterations),
      costUsd: count(run.costUsd),
      tokens: count(input) + count(output),
    },
  ]
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

async function readEnd(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const length = Math.min(size, HISTORY_BYTES_MAX)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    // The file does not exist before the first run.
    return ''
  }
}
