import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { AgentHost } from '../src/agents/agent-run.ts'
import { atMost, type Report } from './measure.ts'

const run = promisify(execFile)

const BYTES = 1024 ** 3
const RSS_MEGABYTES_MAX = 200
const LAG_MS_MAX = 250
/** The built reader in a separate process; it prints what it cost. */
const FLOODED = resolve('test/sandbox/programs/flooded.mjs')

const FLOODS = [
  ['without a newline', `head -c ${BYTES} /dev/zero | tr '\\0' x`],
  ['of bytes that are no text', `head -c ${BYTES} /dev/zero | tr '\\0' '\\377'`],
  ['in short lines', `yes | head -c ${BYTES}`],
] as const

interface Cost {
  readonly peakMegabytes: number
  readonly lagMaxMs: number
  /** The most CPU time that it used between two reads of the clock. */
  readonly ownMaxMs: number
}

/** One gigabyte of an agent's output: how much memory it takes, and how long it blocks everything else. */
export async function measureFlood(report: Report, host: AgentHost): Promise<void> {
  for (const [how, script] of FLOODS) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-bench-flood-')))
    try {
      const { stdout } = await run(process.execPath, [FLOODED, 'command', host.level, folder, script])
      const { peakMegabytes, lagMaxMs, ownMaxMs }: Cost = JSON.parse(stdout)
      const line = (metric: string, value: number, unit: string, limit: number): void => {
        const ratio = value / limit
        report({ name: 'runs', metric, value, unit, limit, ratio, ...atMost(1)(ratio) })
      }
      line(`1 GB of output ${how}: peak memory of the reader`, peakMegabytes, 'MB', RSS_MEGABYTES_MAX)
      // Time spent waiting for a CPU that other processes used is not counted: no change here could shorten
      // it.
      const own = `at most ${Math.round(ownMaxMs)} ms of its own work in any 20 ms and the lag after them`
      line(`1 GB of output ${how}: longest lag of its event loop (${own})`, lagMaxMs, 'ms', LAG_MS_MAX)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
