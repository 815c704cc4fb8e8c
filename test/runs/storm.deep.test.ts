import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seeded } from '../model/generate-commands.ts'
import type { Fault } from '../scripted-api/script.ts'
import { startScriptedApi } from '../scripted-api/server.ts'
import { seedOr } from '../seed.ts'
import { ManualClock } from './manual-clock.ts'
import { openScene, type Theatre } from './scene.ts'

const SEED = seedOr(15)
const AGENTS = 50
const STORM_MS = 120_000
/** A fleet may ask the service once for each agent, and once in ten seconds of a storm; one fifth more is allowed. */
const STORM_CALL_EVERY_MS = 10_000
const BUDGET_FACTOR = 1.2
const STEP_MS = 1_000
/** So long nothing is shown when nobody begins or ends anything. */
const QUIET_MS = 30
/** Of the clock that is moved by hand: by then everything must have come to its end. */
const GIVE_UP_MS = 3_600_000
const PROGRAM = join(import.meta.dirname, 'programs/calling-agent.mjs')

const STORM: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfterS: 1 },
  { kind: 'status', status: 529 },
  { kind: 'status', status: 500 },
]

/** Whether this process waits for another one or for the disk: an agent's workspace or its program is just being made. */
function isAtWork(): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind === 'ProcessWrap' || kind.startsWith('FSReq'))
}

/** The processes that the director has written down and not seen end. */
function livingAgents({ root }: Theatre): number {
  return readdirSync(join(root, '.axiom/processes')).length
}

it(`F15: ${AGENTS} agents together leave a service alone that refuses all of them, and all finish after it`, async () => {
  const clock = new ManualClock(Date.parse('2026-01-13T10:00:00Z'))
  const stormEndsMs = clock.now() + STORM_MS
  await using api = await startScriptedApi({
    turns: [{ speech: 'Go on.' }],
    faultFor: ({ number = 0 }) => (clock.now() < stormEndsMs ? STORM[number % STORM.length] : undefined),
  })
  const sim = { driver: 'sim' }
  const programs = mkdtempSync(join(tmpdir(), 'axiom-storm-'))
  writeFileSync(join(programs, 'claude'), `#!/bin/sh\nexec node ${PROGRAM} "$@"\n`, { mode: 0o755 })
  const scene = await openScene({
    clock,
    random: seeded(SEED),
    tasks: Array.from({ length: AGENTS }, (_, i) => `Work number ${i + 1}`),
    environment: {
      PATH: `${programs}:${process.env.PATH}`,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'a-key-of-the-scripted-service',
    },
    config: { sandbox: { readOnly: [PROGRAM] } },
    agents: {
      driver: 'claude',
      maxConcurrent: AGENTS,
      roles: { critic: sim, auditor: sim },
    },
  })
  try {
    const ids = Array.from({ length: AGENTS }, (_, i) => `task-${String(i + 1).padStart(3, '0')}`)
    await using seated = await scene.open()
    const running = seated.director.run()
    let seen = -1
    // Nobody's time passes while an agent is at work: a call is made in the moment it was meant for.
    const settle = async (): Promise<void> => {
      do {
        seen = scene.rows.length
        await sleep(QUIET_MS)
      } while (scene.rows.length > seen || livingAgents(scene) > 0 || isAtWork())
    }
    const isDeveloped = async (): Promise<boolean> => {
      const states = await Promise.all(ids.map(async (id) => (await scene.delivery(id)).state))
      return states.every((state) => state !== 'queued' && state !== 'developing')
    }
    const begunMs = clock.now()
    while (!(await isDeveloped()) && clock.now() - begunMs < GIVE_UP_MS)
      await clock.advance(STEP_MS, STEP_MS, settle)
    const endedMs = clock.now()
    expect(await isDeveloped()).toBe(true)
    // Their reviews are another story.
    seated.director.leave('now')
    await running
    const calls = api.requests.length
    const inStorm = api.requests.length - AGENTS
    const budget = AGENTS + STORM_MS / STORM_CALL_EVERY_MS
    process.stdout.write(
      `\nstorm of ${STORM_MS / 1_000} s, ${AGENTS} agents: ${calls} calls (${inStorm} of them refused), budget ${budget}; all done ${(endedMs - stormEndsMs) / 1_000} s after it\n`,
    )
    expect(calls, `seed ${SEED}`).toBeLessThanOrEqual(budget * BUDGET_FACTOR)
    expect(inStorm).toBeGreaterThan(1)
    for (const id of ids) {
      const { execution } = (await scene.task(id)).metadata as { execution?: Record<string, unknown> }
      expect(execution, id).toMatchObject({ iterations: 1 })
      expect(execution?.retryCount ?? 0, id).toBe(0)
      expect(execution?.lastError, id).toBeUndefined()
    }
  } finally {
    await scene.close()
    rmSync(programs, { recursive: true })
  }
}, 600_000)
