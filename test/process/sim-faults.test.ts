import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Step } from '../../src/sim/step.ts'

const PROGRAM = resolve(import.meta.dirname, '../../dist/sim/main.js')

let folder: string
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-sim-'))
})

afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Played {
  readonly code: number | null
  readonly signal: string | null
  readonly output: Buffer
  readonly bytes: number
}

const KEPT_BYTES_MAX = 1_000_000

/** Runs the built program; `then` acts once the agent has said its first words. */
function play(steps: readonly Step[], then?: (agent: ChildProcess) => void): Promise<Played> {
  const playbook = join(folder, 'playbook.json')
  writeFileSync(playbook, JSON.stringify({ entries: [{ steps: [{ do: 'say', text: 'at it' }, ...steps] }] }))
  const agent = spawn(process.execPath, [PROGRAM, '-p'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, AXIOM_SIM_PLAYBOOK: playbook },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child = agent
  agent.stdin.end('work')
  const kept: Buffer[] = []
  let bytes = 0
  let waits = then !== undefined
  agent.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes < KEPT_BYTES_MAX) kept.push(chunk)
    if (!waits || !Buffer.concat(kept).includes('at it')) return
    waits = false
    // The step after the words must have begun, or there is nothing to hit.
    setTimeout(() => then?.(agent), 100)
  })
  return new Promise((done) => {
    agent.on('close', (code, signal) => done({ code, signal, output: Buffer.concat(kept), bytes }))
  })
}

function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(word)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Whether the process leads a group of its own: the fifth field, counted behind the name in brackets. */
function leadsGroup(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === pid
  } catch {
    return false
  }
}

describe('the simulated agent, when it is to go wrong', () => {
  it('dies by a signal without a closing event', async () => {
    const { signal, output } = await play([{ do: 'crash' }])
    expect([signal, output.includes('"type":"result"')]).toEqual(['SIGKILL', false])
  })

  it('leaves with a code without a closing event', async () => {
    const { code, output } = await play([{ do: 'exit', code: 9 }])
    expect([code, output.includes('"type":"result"')]).toEqual([9, false])
  })

  it('hangs until SIGTERM ends it, silently, as the real program ends', async () => {
    const { code, output } = await play([{ do: 'hang' }], (agent) => agent.kill('SIGTERM'))
    expect([code, output.includes('"type":"result"')]).toEqual([143, false])
  })

  it('ends in order on SIGINT, with an error in its closing event and exit code 0', async () => {
    const { code, output } = await play([{ do: 'run', command: 'sleep 60' }], (agent) => agent.kill('SIGINT'))
    expect([code, output.includes('"terminal_reason":"aborted_tools"')]).toEqual([0, true])
  })

  it('ignores SIGTERM', async () => {
    const steps: Step[] = [
      { do: 'ignore-sigterm' },
      { do: 'wait', ms: 400 },
      { do: 'say', text: 'still here' },
    ]
    const { code, output } = await play(steps, (agent) => agent.kill('SIGTERM'))
    expect([code, output.includes('still here')]).toEqual([0, true])
  })

  it('leaves a process behind that outlives it and its group', async () => {
    const marker = `orphan-${process.pid}-${folder.slice(-6)}`
    const { code } = await play([{ do: 'double-fork', seconds: 30, marker }])
    // Right after the end of its maker it may still be two, not yet have its name, or not yet have left the group.
    let orphans = processesWith(marker)
    for (let look = 0; look < 100 && !(orphans.length === 1 && orphans.every(leadsGroup)); look += 1) {
      await sleep(50)
      orphans = processesWith(marker)
    }
    for (const orphan of orphans) process.kill(-orphan, 'SIGKILL')
    expect([code, orphans.length]).toEqual([0, 1])
  })

  it.each(['one-line', 'short-lines', 'binary', 'speech', 'tool-result'] as const)(
    'floods (%s)',
    async (form) => {
      const { code, bytes } = await play([{ do: 'flood', bytes: 2_000_000, form }])
      expect(code).toBe(0)
      expect(bytes).toBeGreaterThanOrEqual(2_000_000)
    },
  )

  it('prints lines that break the dialect, and goes on behind them', async () => {
    const { code, output } = await play([{ do: 'wrong-format' }, { do: 'say', text: 'good again' }])
    const lines = output.toString('utf8').split('\n').filter(Boolean)
    const broken = lines.filter((line) => {
      try {
        return typeof JSON.parse(line).type !== 'string'
      } catch {
        return true
      }
    })
    expect([code, broken.length]).toEqual([0, 8])
    expect(lines.at(-1)).toContain('"result":"good again"')
  })
})
