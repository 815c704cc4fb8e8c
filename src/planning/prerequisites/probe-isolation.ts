import { homedir } from 'node:os'
import type { Config } from '../../config/schema.ts'
import type { Network } from '../../platform/sandbox/confinement.ts'
import { probeSandbox, type TrialAgent } from '../../platform/sandbox/probe-sandbox.ts'
import type { SandboxReport } from '../../platform/sandbox/sandbox-report.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'

/** How to try an agent inside the sandbox; provided by the caller, which starts agents. */
export interface AgentProbe {
  readonly agent: TrialAgent
  tryAgent(report: SandboxReport): Promise<Prerequisite>
}

/** The level of isolation that a trial run proves on this machine, with the network that is configured. */
export async function probeIsolation(
  world: ProbeWorld,
  sandbox: Config['sandbox'],
  { agent, tryAgent }: AgentProbe,
): Promise<Prerequisite[]> {
  const host = { environment: world.env, home: world.env.HOME ?? homedir() }
  // Each run opens its own proxy into a closed network, so only the closed network can be tried here.
  const network: Network = { kind: sandbox.network === 'host' ? 'host' : 'none' }
  const report = await probeSandbox(host, { level: sandbox.level, network, agent })
  return [describeSandbox(report, sandbox.network), await tryAgent(report)]
}

export function describeSandbox(report: SandboxReport, network: Config['sandbox']['network']): Prerequisite {
  const name = 'sandbox'
  if (report.sandboxed) {
    const held = Object.values(report.probes).filter((result) => result === 'held').length
    return {
      name,
      status: 'ok',
      found: `${report.level}, ${held} trials of escape held, network ${network}`,
    }
  }
  const reasons = report.tried.map(({ level, note }) => `${level}: ${note.trim().split('\n')[0] ?? ''}`)
  const found = `no level holds, so agents other than simulated ones need --allow-unsandboxed (${reasons.join('; ')})`
  const fix =
    'sudo apt-get install bubblewrap; where it is installed, allow user namespaces: sudo sysctl -w kernel.unprivileged_userns_clone=1'
  return { name, status: 'warn', code: 'SANDBOX_MISSING', found, fix }
}
