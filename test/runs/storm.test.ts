import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { AgentHost } from '../../src/agents/agent-run.ts'
import { NO_CREDENTIALS } from '../../src/agents/credentials.ts'
import type { Driver } from '../../src/agents/driver.ts'
import { claudeDriver } from '../../src/agents/drivers/claude.ts'
import { limitDriver } from '../../src/agents/limit-driver.ts'
import { ProviderLimiter } from '../../src/agents/provider-limiter.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { seeded } from '../model/generate-commands.ts'
import type { Fault } from '../scripted-api/script.ts'
import { startScriptedApi } from '../scripted-api/server.ts'
import { ManualClock } from './manual-clock.ts'
import { openScene } from './scene.ts'

const SEED = Number(process.env.SEED ?? 15)
const AGENTS = 50
const STORM_MS = 120_000
/** A fleet may ask the service once for each agent, and once in ten seconds of a storm; one fifth more is allowed. */
const STORM_CALL_EVERY_MS = 10_000
const BUDGET_FACTOR = 1.2
const STEP_MS = 1_000
/** Of the clock that is moved by hand: by then everything must have come to its end. */
const GIVE_UP_MS = 3_600_000
const PROGRAM = join(import.meta.dirname, 'programs/calling-agent.mjs')

const STORM: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfterS: 1 },
  { kind: 'status', status: 529 },
  { kind: 'status', status: 500 },
]

it(`F15: ${AGENTS} agents together leave a service alone that refuses all of them, and all finish after it`, async () => {
  const clock = new ManualClock(Date.parse('2026-01-13T10:00:00Z'))
  const stormEndsMs = clock.now() + STORM_MS
  await using api = await startScriptedApi({
    turns: [{ speech: 'Go on.' }],
    faultFor: ({ number = 0 }) => (clock.now() < stormEndsMs ? STORM[number % STORM.length] : undefined),
  })
  let living = 0
  const makeDriver = (host: AgentHost): Driver => {
    const claude = claudeDriver(
      { ...host, now: () => clock.now() },
      {
        program: PROGRAM,
        credentials: NO_CREDENTIALS,
      },
    )
    const counted: Driver = {
      ...claude,
      async start(request) {
        const environment = { ...request.environment, STORM_URL: api.url }
        living += 1
        const agent = await claude.start({ ...request, environment }).catch((error: unknown) => {
          living -= 1
          throw error
        })
        void agent.ended.then(() => {
          living -= 1
        })
        return agent
      },
    }
    return limitDriver(counted, new ProviderLimiter(seeded(SEED)), clock)
  }
  const scene = await openScene({ clock, makeDriver })
  try {
    const more = Array.from({ length: AGENTS - 2 }, (): CaseCommand => {
      return { kind: 'create', type: 'task', parentId: 'op-001', content: 'One more' }
    })
    await scene.commit(...more)
    const ids = Array.from({ length: AGENTS }, (_, i) => `task-${String(i + 1).padStart(3, '0')}`)
    let open = AGENTS
    const runs = ids.map((task, slot) =>
      scene.run({ task, slot }).finally(() => {
        open -= 1
      }),
    )
    const whole = Promise.all(runs)
    whole.catch(() => undefined)
    // Nobody's time passes while an agent is at work: a call is made in the moment it was meant for.
    const settle = async (): Promise<void> => {
      do await sleep(5)
      while (living > 0)
    }
    const begunMs = clock.now()
    while (open > 0 && clock.now() - begunMs < GIVE_UP_MS) await clock.advance(STEP_MS, STEP_MS, settle)
    const ends = await whole
    expect(ends.map(({ end }) => end.kind)).toEqual(ids.map(() => 'complete'))
    const calls = api.requests.length
    const inStorm = api.requests.length - AGENTS
    const budget = AGENTS + STORM_MS / STORM_CALL_EVERY_MS
    process.stdout.write(
      `\nstorm of ${STORM_MS / 1_000} s, ${AGENTS} agents: ${calls} calls (${inStorm} of them refused), budget ${budget}; all done ${(clock.now() - stormEndsMs) / 1_000} s after it\n`,
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
  }
}, 600_000)
