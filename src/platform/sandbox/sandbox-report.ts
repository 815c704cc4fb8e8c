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

/** `held`: tried and refused. `open`: tried and it worked. `untried`: the canary did not get so far. */
export type ProbeResult = 'held' | 'open' | 'untried'

export interface LevelReport {
  readonly level: SandboxLevel
  /** Whether an agent could start and work at this level at all. */
  readonly works: boolean
  /** In words, what was found. */
  readonly note: string
  /** What the agent said that could not be started, where other programs could. */
  readonly agentError?: string
  readonly probes: Readonly<Record<Probe, ProbeResult>>
}

export interface SandboxReport {
  /** The level that agents will run at. */
  readonly level: SandboxLevel
  /** Whether that level keeps an agent from the user's files, secrets and processes. */
  readonly sandboxed: boolean
  /** An agent that is not `sim` needs a person's word when there is no sandbox. */
  readonly consent: 'not-needed' | 'needed'
  readonly network: Network['kind']
  readonly probes: Readonly<Record<Probe, ProbeResult>>
  /** Every level that was tried, tightest first, with its truth. */
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

/** The network is shared by choice, and the orchestrator's port is held by its token: it decides nothing here. */
const DECISIVE: readonly Probe[] = PROBES.filter((probe) => probe !== 'reach-port')

export function eachProbe(result: ProbeResult): Record<Probe, ProbeResult> {
  return Object.fromEntries(PROBES.map((probe) => [probe, result])) as Record<Probe, ProbeResult>
}

export function isSandbox({ works, level, probes }: LevelReport): boolean {
  // However well the sweep did this time, a process group can be left.
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
