import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AgentProcess } from '../../src/agents/driver.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { isSilent } from '../../src/agents/silence.ts'
import { sweepTree } from '../../src/platform/process/sweep-tree.ts'
import type { SandboxLevel } from '../../src/platform/sandbox/confinement.ts'
import { hostAt, levels, makeFolder, makeRequest, processesWith, programs } from './agent-host.ts'

const GRACE_MS = 500
const ENDED_WITHIN_MS = GRACE_MS + 2_000

async function start(level: SandboxLevel, script: string, word: string): Promise<AgentProcess> {
  const driver = commandDriver(hostAt(level, { stopGraceMs: GRACE_MS }), {
    command: ['sh', '-c', script, word],
    folder: programs,
  })
  return driver.start(await makeRequest())
}

async function firstWords(agent: AgentProcess): Promise<void> {
  for await (const event of agent.events) if (event.type === 'speech') break
}

/** Each ends up with processes that carry the word in their arguments and want to stay. */
const STUBBORN = {
  'ignores SIGTERM': `trap '' TERM INT; echo up; while :; do sleep 1; done`,
  'forks twice': `(sh -c 'while :; do sleep 1; done' $0 & ) ; echo up; while :; do sleep 1; done`,
  'leaves its session': `setsid sh -c 'while :; do sleep 1; done' $0 & echo up; while :; do sleep 1; done`,
  'clears its environment':
    // It lives with its parent for a moment, as a daemon that starts does; see the note in sweepTree.
    `env -i setsid sh -c 'trap "" TERM; while :; do sleep 1; done' $0 & sleep 1.2; echo up; while :; do sleep 1; done`,
  'ends by itself and leaves a child': `setsid sh -c 'while :; do sleep 1; done' $0 >/dev/null 2>&1 & echo up; sleep 0.3; exit 0`,
  'is stopped by a signal': `sh -c 'while :; do sleep 1; done' $0 & echo up; kill -STOP $$; :`,
}

describe.each(levels)('at level %s', (level) => {
  it.each(Object.entries(STUBBORN))(
    'F5: an agent that %s is gone with all it started',
    async (_how, script) => {
      const word = randomUUID()
      const agent = await start(level, script, word)
      await firstWords(agent)
      expect(await processesWith(word)).toBeGreaterThan(0)
      const begun = performance.now()
      await agent.stop()
      const tookMs = performance.now() - begun
      expect(await processesWith(word)).toBe(0)
      expect(tookMs).toBeLessThan(ENDED_WITHIN_MS)
    },
  )

  it.each([
    ['says nothing', 'echo up; sleep 300; :'],
    ['spins', 'echo up; while :; do :; done'],
    ['was stopped', 'echo up; kill -STOP $$; :'],
  ])('F4: an agent that %s is told by its silence, and ended', async (_how, script) => {
    const word = randomUUID()
    let nowMs = 1_000_000
    const host = hostAt(level, { stopGraceMs: GRACE_MS, now: () => nowMs })
    const driver = commandDriver(host, { command: ['sh', '-c', script, word], folder: programs })
    const agent = await driver.start(await makeRequest())
    await firstWords(agent)
    nowMs += 59_999
    expect(isSilent(agent, nowMs, 60_000)).toBe(false)
    nowMs += 1
    expect(isSilent(agent, nowMs, 60_000)).toBe(true)
    await agent.stop()
    expect(await processesWith(word)).toBe(0)
  })

  it('F6: agents do not outlive an orchestrator that is killed', async () => {
    const word = randomUUID()
    const folder = await makeFolder()
    const orchestrator = spawn(
      process.execPath,
      ['--import', 'tsx', join(programs, 'orchestrator.ts'), level, folder],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, WORD: word } },
    )
    const [line] = await once(orchestrator.stdout, 'data')
    const record = JSON.parse(String(line))
    expect(await processesWith(word)).toBeGreaterThan(0)
    orchestrator.kill('SIGKILL')
    await once(orchestrator, 'exit')
    if (level === 'process-group') await sweepTree(record)
    for (let waitedMs = 0; waitedMs < 2_000 && (await processesWith(word)) > 0; waitedMs += 50)
      await sleep(50)
    expect(await processesWith(word)).toBe(0)
  })
})
