import type { Network, SandboxLevel } from './confinement.ts'

/** What a confined program tries against its sandbox. */
export type Probe =
  /** Write a file outside the workspace. */
  | 'write-outside'
  /** Write anywhere else on this machine, in places that nothing masks. */
  | 'write-root'
  /** Read a file of the user's that it was not given. */
  | 'read-secret'
  /** Find another process's environment under /proc. */
  | 'read-environment'
  /** Connect to a port of this machine, such as the orchestrator's own. */
  | 'reach-port'
  /** Leave a process behind by forking twice, in a session of its own, with a cleared environment. */
  | 'outlive'
  /** Read what only root may read. */
  | 'be-root'

/** `held`: tried and refused. `open`: tried and it worked. `untried`: the canary did not get that far. */
export type ProbeResult = 'held' | 'open' | 'untried'

export interface LevelReport {
  readonly level: SandboxLevel
  /** Whether an agent could start and work at this level at all. */
  readonly works: boolean
  /** The findings as text. */
  readonly note: string
  /** The output of an agent that could not be started where other programs could. */
  readonly agentError?: string
  readonly probes: Readonly<Record<Probe, ProbeResult>>
}

export interface SandboxReport {
  /** The level that agents will run at. */
  readonly level: SandboxLevel
  /** Whether that level keeps an agent from the user's files, secrets and processes. */
  readonly sandboxed: boolean
  /** Without a sandbox, an agent other than `sim` needs a person's consent. */
  readonly consent: 'not-needed' | 'needed'
  readonly network: Network['kind']
  readonly probes: Readonly<Record<Probe, ProbeResult>>
  /** Every level that was tried, tightest first, with its results. */
  readonly tried: readonly LevelReport[]
}

const PROBES: readonly Probe[] = [
  'write-outside',
  'write-root',
  'read-secret',
  'read-environment',
  'reach-port',
  'outlive',
  'be-root',
]

/**
 * The network is shared by choice, and a token protects the orchestrator's port: that probe decides nothing.
 */
const DECISIVE: readonly Probe[] = PROBES.filter((probe) => probe !== 'reach-port')

export function eachProbe(result: ProbeResult): Record<Probe, ProbeResult> {
  return Object.fromEntries(PROBES.map((probe) => [probe, result])) as Record<Probe, ProbeResult>
}

export function isSandbox({ works, level, probes }: LevelReport): boolean {
  // Even if this sweep killed everything, a process can leave its group.
  return works && level !== 'process-group' && DECISIVE.every((probe) => probes[probe] === 'held')
}

/** The tightest level that is a sandbox; failing that, the one that at least ends its processes. Pure. */
export function chooseLevel(tried: readonly LevelReport[], network: Network['kind']): SandboxReport {
  const held = tried.find(isSandbox)
  const chosen = held ?? tried.find(({ works, probes }) => works && probes.outlive === 'held') ?? tried.at(-1)
  return {
    level: chosen?.level ?? 'process-group',
    sandboxed: held !== undefined,
    consent: held ? 'not-needed' : 'needed',
    network,
    probes: chosen?.probes ?? eachProbe('untried'),
    tried,
  }
}
