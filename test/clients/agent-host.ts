import { homedir } from 'node:os'
import { type AgentHost, STOP_GRACE_MS } from '../../src/agents/agent-run.ts'
import { DEFAULT_LIMITS } from '../../src/platform/sandbox/confinement.ts'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'

/** The real sandbox of this machine, at the level that its canary finds. */
export async function makeAgentHost(changes: Partial<AgentHost> = {}): Promise<AgentHost> {
  const sandbox = { environment: process.env, home: homedir() }
  const report = await probeSandbox(sandbox)
  return {
    sandbox,
    level: report.level,
    masked: [],
    readOnly: [],
    readWrite: [],
    network: { kind: 'host' },
    limits: DEFAULT_LIMITS,
    secrets: [],
    stopGraceMs: STOP_GRACE_MS,
    now: Date.now,
    ...changes,
  }
}
