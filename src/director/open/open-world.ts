import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { createAgentHost, limitsOf } from '../../agents/agent-host.ts'
import { simTrial } from '../../agents/drivers/sim.ts'
import { redactOutput } from '../../agents/redact-output.ts'
import { Redactor } from '../../agents/redaction.ts'
import type { Config } from '../../config/schema.ts'
import { systemClock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { createGit, type Git } from '../../platform/git/git.ts'
import { resolveCommit } from '../../platform/git/repository-operations.ts'
import { sweepStaleLocks } from '../../platform/git/sweep-stale-locks.ts'
import { limitLines, linesAtOnce } from '../../platform/process/limit-lines.ts'
import { type AllowProxy, startAllowProxy } from '../../platform/sandbox/allow-proxy.ts'
import { identityFor } from '../../platform/sandbox/confine.ts'
import type { Network, SandboxHost } from '../../platform/sandbox/confinement.ts'
import { probeOnce } from '../../platform/sandbox/probe-once.ts'
import { createRunInSandbox } from '../../platform/sandbox/run-confined-line.ts'
import type { SandboxReport } from '../../platform/sandbox/sandbox-report.ts'
import { Turnstile } from '../../platform/turnstile.ts'
import { Ash } from '../../runs/ash.ts'
import type { RunClock } from '../../runs/run-ports.ts'
import { spawnAgent } from '../../runs/spawn-agent.ts'
import type { Store } from '../../store/store.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import { sweepUnfinished } from '../../workspaces/create-workspace.ts'
import {
  fetchTarget,
  type IntegrationRepository,
  openIntegrationRepository,
} from '../../workspaces/integration-repository.ts'
import { gitDirectories } from '../../workspaces/repository-fingerprint.ts'
import { type Ground, openGround } from '../../workspaces/workspace.ts'
import { openDriverByRole } from '../agents/driver-by-role.ts'
import { QuotaQueue } from '../agents/quota-queue.ts'
import { openRemote, startFromRemote } from '../land/remote/open-remote.ts'
import type { RunWorld } from '../run-world.ts'

export interface WorldOptions {
  /** The root of the user's repository. */
  readonly root: string
  readonly vocabulary: Vocabulary
  readonly config: Config
  readonly store: Store
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder of the built product, which holds the simulated agent. */
  readonly built: string
  readonly allowUnsandboxed: boolean
  /** The known sandbox report of this machine; probed when absent. */
  readonly sandbox?: SandboxReport
  /** The machine's when absent. */
  readonly clock?: RunClock
  /** Spreads waits; from 0 to below 1. */
  random?(): number
  /**
   * The director that has taken the lock: every earlier one is dead. Without it another director may be at
   * work, and a new id is allocated.
   */
  readonly director?: string
}

/** A project as a director works in it. */
export interface OpenedWorld extends RunWorld, AsyncDisposable {
  /** The id of the director: `dex-003`. */
  readonly director: string
  readonly sandbox: SandboxReport
}

/**
 * Opens everything around a project: its git, the sandbox that works on this machine, the programs of its
 * agents.
 */
export async function openWorld(options: WorldOptions): Promise<OpenedWorld> {
  const { root, vocabulary, config, store, environment, clock = systemClock, random = Math.random } = options
  const folder = join(root, vocabulary.folder)
  const host: SandboxHost = { environment, home: environment.HOME ?? homedir() }
  // A proxy is an opening in a closed network, so the closed network is what gets probed.
  const kind = config.sandbox.network === 'host' ? 'host' : 'none'
  const trial = { level: config.sandbox.level, network: { kind }, agent: simTrial(options.built) } as const
  const sandbox = options.sandbox ?? (await probeOnce(host, trial))
  const ground = await openProjectGround(options, sandbox, host)
  const proxy = config.sandbox.network === 'proxy' ? await startAllowProxy(config.sandbox.allow) : undefined
  const masked = [root, folder, ground.workspacesDir]
  const agentHost = createAgentHost(
    {
      sandbox: host,
      report: sandbox,
      masked,
      clock,
      random,
      ...(proxy ? { proxySocket: proxy.socket } : {}),
    },
    { ...config.sandbox, limits: limitsOf(config.sandbox.limits) },
  )
  const driver = await openDriverByRole({
    host: agentHost,
    report: sandbox,
    agents: config.agents,
    places: { folder: root, built: options.built },
    searchPath: environment.PATH ?? '',
    allowUnsandboxed: options.allowUnsandboxed,
  })
  const network = networkFor(config, proxy)
  const runLine = await checksRunner(folder, ground, host, { sandbox, config, masked, network })
  const redactor = new Redactor(agentHost.secrets)
  const director =
    options.director ?? (await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'dex'))
  return {
    root,
    vocabulary,
    config,
    store,
    ground,
    driver,
    director,
    sandbox,
    runLine: redactOutput(runLine, agentHost.secrets),
    ash: await Ash.open(folder, vocabulary, director),
    clock,
    quotaQueue: new QuotaQueue(clock, config.quietHours),
    random,
    redact: (text) => redactor.redact(text),
    show: (row) => store.publishLive([row]),
    machine: machineOf(sandbox, await gitVersion(ground.git, root)),
    agentRequest: simulatedRequest(environment, vocabulary),
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]()
    },
  }
}

async function openProjectGround(
  { root, vocabulary, config, environment, director, clock = systemClock }: WorldOptions,
  { sandboxed, level }: SandboxReport,
  host: SandboxHost,
): Promise<Ground> {
  const git = createGit(environment.PATH ?? '')
  const folder = join(root, vocabulary.folder)
  const { commonDir } = await gitDirectories(root)
  const target = config.integration.target ?? (await branchOf(git, root))
  const integration = await openIntegrationRepository(join(folder, 'integration.git'), target)
  // With the director lock held, even the youngest git lock is stale, unless a running git holds it.
  await sweepStaleLocks(integration.gitDir, director === undefined ? clock.now() : Number.MAX_SAFE_INTEGER)
  if (config.integration.mode === 'pull-request') {
    const name = config.integration.remote
    const remote = await openRemote(git, { root, userGitDir: commonDir, name, environment })
    await startFromRemote(git, integration, remote)
  } else if (await isUnborn(git, integration, commonDir)) {
    throw new Failure('PREREQ_NO_COMMIT', `the branch ${target} has no commit, and agents start from one`, {
      hint: 'git add --all && git commit',
    })
  }
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const state = environment.XDG_STATE_HOME ?? join(host.home, '.local/state')
  const owner = identityFor(level, host)
  const ground = await openGround({
    git,
    integration,
    // Without a sandbox, an agent in a folder of the repository would be one step from the user's own files.
    workspacesDir: sandboxed ? join(root, vocabulary.workspaces) : join(state, 'axiom', name, 'workspaces'),
    observersDir: join(folder, 'observers'),
    ...(owner ? { owner } : {}),
    now: () => clock.now(),
  })
  if (director !== undefined) await sweepUnfinished(ground)
  return ground
}

/**
 * Whether there is nothing to start from. A branch that the user deleted since lives on in the target of
 * record.
 */
async function isUnborn(git: Git, integration: IntegrationRepository, userGitDir: string): Promise<boolean> {
  if ((await fetchTarget(git, integration, userGitDir)).kind !== 'unborn') return false
  return (await resolveCommit(git, integration, `refs/heads/${integration.target}`)) === undefined
}

async function branchOf(git: Git, root: string): Promise<string> {
  const { gitDir } = await gitDirectories(root)
  const { exitCode, stdout } = await git.run({ gitDir }, ['symbolic-ref', '--short', 'HEAD'], {
    expect: [0, 1, 128],
  })
  if (exitCode === 0) return stdout.toString('utf8').trim()
  throw new Failure('PREREQ_NO_COMMIT', 'no branch is checked out, and none is configured to land on', {
    hint: 'axiom config set integration.target main',
  })
}

interface Walls {
  readonly sandbox: SandboxReport
  readonly config: Config
  readonly masked: readonly string[]
  readonly network: Network
}

/** Checks run in the same sandbox as agents, but in another home: they see no credentials. */
async function checksRunner(folder: string, ground: Ground, host: SandboxHost, walls: Walls) {
  const home = join(folder, 'private/checks/home')
  const temporary = join(folder, 'private/checks/tmp')
  for (const path of [home, temporary]) await mkdir(path, { recursive: true })
  const { readOnly, readWrite, limits } = walls.config.sandbox
  const run = createRunInSandbox({
    level: walls.sandbox.level,
    host,
    confinementFor: (cwd) => ({
      workspace: cwd,
      home,
      temporary,
      masked: walls.masked,
      readOnly: [ground.integration.objects, ...readOnly],
      readWrite,
      network: walls.network,
      limits: limitsOf(limits),
    }),
  })
  return limitLines(run, new Turnstile(linesAtOnce(availableParallelism())))
}

function networkFor({ sandbox }: Config, proxy: AllowProxy | undefined): Network {
  if (sandbox.network !== 'proxy') return { kind: sandbox.network }
  return proxy ? { kind: 'proxy', socket: proxy.socket } : { kind: 'none' }
}

async function gitVersion(git: Git, cwd: string): Promise<string> {
  return (await git.text({ cwd }, ['--version'])).replace(/^git version /, '')
}

function machineOf({ level }: SandboxReport, git: string): Record<string, string> {
  return { platform: `${process.platform}-${process.arch}`, node: process.version, git, sandbox: level }
}

const SIM_VARIABLES = ['AXIOM_SIM_PLAYBOOK', 'AXIOM_SIM_SEED', 'AXIOM_SIM_PACE_MS']

/** The playbook and the names for simulated agents; other agents ignore them. */
function simulatedRequest(environment: WorldOptions['environment'], { signals }: Vocabulary) {
  const given = SIM_VARIABLES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))
  const names = Object.entries(signals.names).map((pair) => pair.join('='))
  const playbook = environment.AXIOM_SIM_PLAYBOOK
  return {
    environment: {
      ...(Object.fromEntries(given) as Record<string, string>),
      AXIOM_SIM_TAG: signals.tag,
      ...(names.length > 0 ? { AXIOM_SIM_NAMES: names.join(',') } : {}),
    },
    readOnly: playbook ? [playbook] : [],
  }
}
