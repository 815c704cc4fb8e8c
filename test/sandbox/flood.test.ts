import { execFile, spawnSync } from 'node:child_process'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, programs } from './agent-host.ts'

const run = promisify(execFile)
const BYTES = 1024 ** 3
const RSS_MEGABYTES_MAX = 200
const LOG_BYTES_MAX = 4 * 8 * 1024 ** 2
const figures: string[] = []

async function flood(driver: 'command' | 'claude', script: string) {
  const folder = await makeFolder()
  const level = 'bwrap'
  const { stdout } = await run(process.execPath, [
    join(programs, 'flooded.mjs'),
    driver,
    level,
    folder,
    script,
  ])
  const report = JSON.parse(stdout)
  const logs = await readdir(join(folder, 'logs'))
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, 'logs', name))).size))
  return { ...report, logBytes: sizes.reduce((sum, size) => sum + size, 0) }
}

describe('F7: one gigabyte of output', () => {
  // The reader is measured in a process of its own, as it is built.
  beforeAll(() => {
    const { status } = spawnSync(process.execPath, [join(programs, '../../../scripts/prepare.mjs')], {
      stdio: 'inherit',
    })
    expect(status).toBe(0)
  })

  it.each([
    ['without a newline', `head -c ${BYTES} /dev/zero | tr '\\0' x`],
    ['of bytes that are no text', `head -c ${BYTES} /dev/zero | tr '\\0' '\\377'`],
    ['in short lines', `yes | head -c ${BYTES}`],
  ])('%s costs a command agent neither memory nor time', async (how, script) => {
    const report = await flood('command', script)
    note(how, report)
    expect(report.end.reason).toBe('completed')
    expect(report.characters).toBe(BYTES)
    expectBounds(report)
  })

  it('without a newline is one dropped line for a claude agent, and a clear end', async () => {
    const program = join(await makeFolder(), 'flooder')
    await writeFile(program, `#!/bin/sh\nhead -c ${BYTES} /dev/zero | tr '\\0' x\n`)
    await chmod(program, 0o755)
    const report = await flood('claude', program)
    note('claude, without a newline', report)
    expect(report.problems).toEqual({ AGENT_LINE_TOO_LONG: 1 })
    expect(report.end).toMatchObject({ reason: 'failed', error: { code: 'AGENT_OUTPUT_INVALID' } })
    expectBounds(report)
  })

  afterAll(() => process.stdout.write(`\none gigabyte of output:\n  ${figures.join('\n  ')}\n`))
})

interface FloodReport {
  readonly seconds: number
  readonly peakMegabytes: number
  /** The 99.9th percentile: the longest single one is the machine's, when others work on it. */
  readonly lagMs: number
  readonly lagMaxMs: number
  readonly logBytes: number
}

/** How long the loop was held up is measured beside its limit by `npm run bench -- runs`: here others may be busy. */
function expectBounds({ peakMegabytes, logBytes }: FloodReport): void {
  expect(peakMegabytes).toBeLessThan(RSS_MEGABYTES_MAX)
  expect(logBytes).toBeLessThanOrEqual(LOG_BYTES_MAX)
}

function note(how: string, { seconds, peakMegabytes, lagMs, lagMaxMs, logBytes }: FloodReport): void {
  const lag = `lag ${lagMs.toFixed(0)} ms (once ${lagMaxMs.toFixed(0)})`
  const log = (logBytes / 1e6).toFixed(0)
  figures.push(`${how}: ${seconds.toFixed(1)} s, ${peakMegabytes.toFixed(0)} MB, ${lag}, log ${log} MB`)
}
