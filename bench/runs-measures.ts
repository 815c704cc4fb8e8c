// What a run costs besides the agent itself, measured as the orchestrator runs it.
import { homedir } from 'node:os'
import type { AgentHost } from '../src/agents/agent-run.ts'
import { DEFAULT_LIMITS } from '../src/platform/sandbox/confinement.ts'
import { probeSandbox } from '../src/platform/sandbox/probe-sandbox.ts'
import { measureBusyAgents } from './busy-agents.ts'
import { measureFlood } from './flood.ts'
import type { Report } from './measure.ts'
import { measureTaskOverhead } from './task-overhead.ts'

async function makeHost(): Promise<AgentHost> {
  const sandbox = { environment: process.env, home: homedir() }
  const { level } = await probeSandbox(sandbox)
  return {
    sandbox,
    level,
    masked: [],
    readOnly: [],
    readWrite: [],
    network: { kind: 'host' },
    limits: DEFAULT_LIMITS,
    secrets: ['a secret that is looked for all the time', 'and another one of those'],
    stopGraceMs: 1_000,
    now: () => Date.now(),
  }
}

const report: Report = (measure) => console.log(JSON.stringify(measure))
const host = await makeHost()
await measureTaskOverhead(report)
await measureBusyAgents(report, host)
await measureFlood(report, host)
