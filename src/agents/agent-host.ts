import type { Config } from '../config/schema.ts'
import { Failure } from '../platform/failure.ts'
import {
  DEFAULT_LIMITS,
  type Limits,
  type Network,
  type SandboxHost,
} from '../platform/sandbox/confinement.ts'
import type { SandboxReport } from '../platform/sandbox/sandbox-report.ts'
import { type AgentHost, STOP_GRACE_MS } from './agent-run.ts'
import type { LimiterClock } from './limit-driver.ts'
import { listSecretsOf } from './list-secrets.ts'
import { ProviderLimiter } from './provider-limiter.ts'

/** The shape of `sandbox` in the configuration. */
export interface SandboxSettings {
  readonly readOnly?: readonly string[]
  readonly readWrite?: readonly string[]
  readonly network?: 'host' | 'proxy' | 'none'
  /** Hosts that the proxy lets through. */
  readonly allow?: readonly string[]
  readonly limits?: Partial<Limits>
}

export interface HostFacts {
  readonly sandbox: SandboxHost
  readonly report: SandboxReport
  /** The repository and all state of the orchestrator that agents must not see. */
  readonly masked: readonly string[]
  /** The socket of the `AllowProxy` for `sandbox.allow`; needed when the network is `proxy`. */
  readonly proxySocket?: string
  /** Spreads the waits of agents; from 0 up to, not including, 1. */
  random?(): number
  /** The clock for the agents' limits and waits. */
  readonly clock: LimiterClock
}

/** The host that all agents share, from the findings of the canary and the configuration. */
export function createAgentHost(facts: HostFacts, settings: SandboxSettings): AgentHost {
  return {
    sandbox: facts.sandbox,
    level: facts.report.level,
    masked: facts.masked,
    readOnly: settings.readOnly ?? [],
    readWrite: settings.readWrite ?? [],
    network: networkOf(settings, facts.proxySocket),
    limits: { ...DEFAULT_LIMITS, ...settings.limits },
    secrets: listSecretsOf(facts.sandbox.environment),
    stopGraceMs: STOP_GRACE_MS,
    limiter: new ProviderLimiter(facts.random ?? Math.random),
    now: () => facts.clock.now(),
    sleepUntil: (atMs, signal) => facts.clock.sleepUntil(atMs, signal),
  }
}

const MEBIBYTE = 1024 ** 2

/** Limits as they are configured, in the units of the kernel. */
export function limitsOf({ processes, memoryMegabytes, fileMegabytes }: Config['sandbox']['limits']): Limits {
  return {
    processesMax: processes,
    memoryBytesMax: memoryMegabytes * MEBIBYTE,
    fileBytesMax: fileMegabytes * MEBIBYTE,
  }
}

/** A restricted network is never silently replaced by an open one. */
function networkOf({ network = 'host' }: SandboxSettings, socket: string | undefined): Network {
  if (network !== 'proxy') return { kind: network }
  if (socket !== undefined) return { kind: 'proxy', socket }
  throw new Failure('SANDBOX_NETWORK_UNSUPPORTED', 'The network mode "proxy" needs a proxy, and none runs.', {
    hint: 'Set "sandbox.network" to "none" or "host".',
  })
}

/** Without a sandbox only the simulated agent runs, unless a person has consented. */
export function requireSandbox(report: SandboxReport, driver: string, allowUnsandboxed: boolean): void {
  if (report.sandboxed || driver === 'sim' || allowUnsandboxed) return
  const found = report.tried.map(({ level, note }) => `${level}: ${note}`).join('; ')
  throw new Failure('SANDBOX_MISSING', `No sandbox holds on this machine (${found}).`, {
    hint: 'Install bubblewrap, or accept agents that can reach everything you can with --allow-unsandboxed.',
  })
}
