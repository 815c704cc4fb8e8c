import { afterAll, afterEach, beforeAll } from 'vitest'
import type { AgentHost } from '../../src/agents/agent-run.ts'
import type { DriverSubject, Scene } from '../../src/agents/driver.contract.ts'
import type { AgentRequest, Driver } from '../../src/agents/driver.ts'
import type { Turn } from '../scripted-api/script.ts'
import { type Script, type ScriptedApi, startScriptedApi } from '../scripted-api/server.ts'
import { makeAgentHost } from './agent-host.ts'
import { countProcessesWith, makeScratch, type Scratch } from './scratch.ts'

/** One real agent program, its driver, and the scripted model behind it. */
export interface ScriptedClient {
  readonly api: ScriptedApi
  readonly scratch: Scratch
  readonly driver: Driver
  readonly host: AgentHost
  /** Sets the script and makes a repository for it. */
  stage(script: Script): Scratch
}

export interface ClientSetting {
  readonly makeDriver: (host: AgentHost, api: ScriptedApi) => Driver
  /** What every request of this program needs besides. */
  readonly requestFor?: (api: ScriptedApi) => Partial<AgentRequest>
}

/** Starts the scripted model once per file and cleans up after each test. */
export function useScriptedClient(setting: ClientSetting): ScriptedClient {
  const scratches: Scratch[] = []
  let started: { api: ScriptedApi; driver: Driver; host: AgentHost } | undefined
  beforeAll(async () => {
    const api = await startScriptedApi()
    const host = await makeAgentHost()
    started = { api, host, driver: setting.makeDriver(host, api) }
  })
  afterEach(() => {
    for (const scratch of scratches.splice(0)) scratch.remove()
  })
  afterAll(async () => started?.api.close())
  const now = (): NonNullable<typeof started> => {
    if (!started) throw new Error('the scripted model is not started yet')
    return started
  }
  return {
    get api() {
      return now().api
    },
    get host() {
      return now().host
    },
    get driver() {
      return now().driver
    },
    get scratch() {
      const last = scratches.at(-1)
      if (!last) throw new Error('no scene is staged')
      return last
    },
    stage(script) {
      now().api.play(script)
      const made = makeScratch(setting.requestFor?.(now().api))
      scratches.push(made)
      return made
    },
  }
}

/** Stands in the arguments of what an agent left behind. */
const MARKER = `axiom-client-orphan-${process.pid}`

/** A process that leaves its parent, its group and its session, and ignores polite signals. */
const ORPHAN = `(setsid sh -c 'trap "" TERM HUP INT; sleep 300' ${MARKER} </dev/null >/dev/null 2>&1 &)`

/** The scenes of the contract as scripts of the model. */
export const SCRIPTS: Record<Scene, Script> = {
  completes: { turns: [{ speech: 'I begin.', uses: [shell('true')] }, { speech: 'Now the work is done.' }] },
  'uses-tool': { turns: [{ uses: [shell('git status --short')] }, { speech: 'I looked.' }] },
  hangs: { turns: [{ speech: 'I wait.', uses: [shell(`${ORPHAN}; sleep 300`)] }] },
  listens: {
    turns: [
      { speech: 'I listen.', uses: [shell('sleep 3')] },
      { reply: ({ body }) => `heard: ${lastHeard(JSON.stringify(body))}` },
      { reply: ({ body }) => `heard: ${lastHeard(JSON.stringify(body))}` },
    ],
  },
  remembers: { turns: [{ speech: 'the number is 41' }, { speech: 'you said 41' }] },
  'rate-limited': { turns: [], faultFor: () => ({ kind: 'status', status: 429, retryAfterS: 1 }) },
  dies: { turns: [{ speech: 'I die.', uses: [shell(`${ORPHAN}; kill -9 $PPID; sleep 5`)] }] },
}

function shell(command: string): NonNullable<Turn['uses']>[number] {
  return { tool: 'shell', command }
}

/** Only what really reached the model counts as heard. */
function lastHeard(request: string): string {
  return request.includes('second thoughts') ? 'second thoughts' : 'nothing'
}

export function countOrphans(): number {
  return countProcessesWith(MARKER)
}

/** What the contract suite needs to hold one real program to it. */
export function contractSubject(
  name: string,
  client: ScriptedClient,
  without: DriverSubject['without'] = {},
): DriverSubject {
  const scenes = Object.entries(SCRIPTS).filter(([scene]) => !(scene in without))
  return {
    name,
    // The driver exists only once the scripted model listens.
    driver: {
      name,
      get abilities() {
        return client.driver.abilities
      },
      start: (request) => client.driver.start(request),
      resume: (session, request) => client.driver.resume(session, request),
    },
    scenes: Object.fromEntries(
      scenes.map(([scene, script]) => [scene, () => client.stage(script).request()]),
    ),
    without,
    survivors: () => Promise.resolve(countOrphans()),
  }
}
