import { execFile } from 'node:child_process'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../failure.ts'
import type { SpawnRequest } from '../process/supervise.ts'
import { bwrapArguments } from './bwrap-arguments.ts'
import {
  type Command,
  type Confinement,
  type Identity,
  type Limits,
  NOBODY,
  type SandboxHost,
  type SandboxLevel,
} from './confinement.ts'
import { allowEnvironment } from './environment.ts'
import { FORWARDER_PROGRAM, PROXY_PORT } from './forwarder-program.ts'
import { locateProgram, planMounts } from './mount-plan.ts'
import { unshareScript } from './unshare-script.ts'

const run = promisify(execFile)

/** bwrap or unshare, then the first process of the namespace; the program is the child of that one. */
const NAMESPACE_DEPTH = 2

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/**
 * Turns a command into one that runs confined at the given level. The private folders are made, and belong to the
 * user the program will run as.
 */
export async function confine(
  command: Command,
  confinement: Confinement,
  level: SandboxLevel,
  outside: SandboxHost,
): Promise<SpawnRequest> {
  refuseWhatCannotBeHeld(confinement, level)
  const host = { ...outside, home: await realpath(outside.home).catch(() => outside.home) }
  const identity = identityFor(level, host)
  const located = await locateProgram(command, confinement.workspace, host)
  const parents = level === 'process-group' ? [] : await parentsInHome(located, confinement, host)
  for (const folder of [confinement.home, confinement.temporary, ...parents])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  if (identity) {
    await giveTo([confinement.home, confinement.temporary, confinement.workspace], identity)
  }
  switch (level) {
    case 'bwrap':
      return throughProxy(located, confinement, (inner, outer) => inBwrap(inner, outer, host, identity))
    case 'unshare':
      return throughProxy(located, confinement, (inner, outer) => inNamespaces(inner, outer, host, identity))
    case 'process-group':
      return inGroup(located, confinement, host)
  }
}

/**
 * The folders above what is mounted below HOME, such as `.cache` when the program lies there. Made beforehand in the
 * private HOME, or they would belong to root and be closed to every program that keeps something of its own in them.
 */
async function parentsInHome(
  command: Command,
  confinement: Confinement,
  host: SandboxHost,
): Promise<string[]> {
  const below = `${host.home}/`
  const mounts = await planMounts(confinement, command, host)
  return mounts.flatMap((mount) =>
    mount.kind === 'bind' && mount.to.startsWith(below)
      ? [join(confinement.home, dirname(mount.to.slice(below.length)))]
      : [],
  )
}

function refuseWhatCannotBeHeld({ network }: Confinement, level: SandboxLevel): void {
  if (network.kind === 'host' || level !== 'process-group') return
  throw new Failure('SANDBOX_NETWORK_UNSUPPORTED', 'Without a sandbox the network cannot be closed.', {
    hint: 'Install bubblewrap, or set "sandbox.network" to "host".',
  })
}

/** Root's agents must not be root: it reads everything and knows no process limit. */
function identityFor(level: SandboxLevel, host: SandboxHost): Identity | undefined {
  if (level === 'process-group' || process.getuid?.() !== 0) return undefined
  return host.identity ?? NOBODY
}

/** Never follows a link: what lies there was written by an agent. */
async function giveTo(folders: readonly string[], { uid, gid }: Identity): Promise<void> {
  await run('chown', ['-R', '-h', '-P', `${uid}:${gid}`, '--', ...folders])
}

/** Where only named hosts may be reached, a forwarder inside leads to the proxy outside. */
async function throughProxy(
  command: Command,
  confinement: Confinement,
  confineIn: (command: Command, confinement: Confinement) => Promise<SpawnRequest>,
): Promise<SpawnRequest> {
  const { network } = confinement
  if (network.kind !== 'proxy') return confineIn(command, confinement)
  const address = `http://127.0.0.1:${PROXY_PORT}`
  const local = 'localhost,127.0.0.1,::1'
  const request = await confineIn(
    {
      program: process.execPath,
      args: ['-e', FORWARDER_PROGRAM, network.socket, String(PROXY_PORT), command.program, ...command.args],
      environment: {
        ...command.environment,
        ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, address])),
        NO_PROXY: local,
        no_proxy: local,
        NODE_USE_ENV_PROXY: '1',
      },
      files: command.files ?? [],
    },
    { ...confinement, readOnly: [...confinement.readOnly, network.socket] },
  )
  return { ...request, wrapperDepth: request.wrapperDepth + 1 }
}

async function inBwrap(
  command: Command,
  confinement: Confinement,
  host: SandboxHost,
  identity: Identity | undefined,
): Promise<SpawnRequest> {
  const mounts = await planMounts(confinement, command, host)
  const args = bwrapArguments(mounts, {
    cwd: confinement.workspace,
    network: confinement.network.kind === 'host',
  })
  return {
    program: 'bwrap',
    args: [...args, ...inside(command, confinement.limits, identity)],
    cwd: '/',
    environment: {
      ...allowEnvironment(host.environment, { home: host.home, temporary: '/tmp' }),
      ...command.environment,
    },
    containment: 'namespace',
    wrapperDepth: NAMESPACE_DEPTH,
  }
}

async function inNamespaces(
  command: Command,
  confinement: Confinement,
  host: SandboxHost,
  identity: Identity | undefined,
): Promise<SpawnRequest> {
  const root = `${confinement.home}.root`
  await mkdir(root, { recursive: true, mode: 0o700 })
  const mounts = await planMounts(confinement, command, host)
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGKILL']
  if (confinement.network.kind !== 'host') namespaces.push('--net')
  if (!identity) namespaces.push('--user', '--map-current-user', '--keep-caps')
  return {
    program: 'setpriv',
    args: [
      '--pdeathsig=KILL',
      '--',
      'unshare',
      ...namespaces,
      '--',
      'sh',
      '-c',
      unshareScript(mounts, confinement.workspace, root),
      'sh',
      ...inside(command, confinement.limits, identity),
    ],
    cwd: '/',
    environment: {
      ...allowEnvironment(host.environment, { home: host.home, temporary: '/tmp' }),
      ...command.environment,
    },
    containment: 'namespace',
    wrapperDepth: NAMESPACE_DEPTH,
  }
}

function inGroup(command: Command, confinement: Confinement, host: SandboxHost): SpawnRequest {
  // No limit on processes: here it would count all that the user runs, and refuse the agent its first fork.
  const bound = ['--pdeathsig=KILL', '--', 'prlimit', ...sizeArguments(confinement.limits), '--']
  return {
    program: 'setpriv',
    args: [...bound, command.program, ...command.args],
    cwd: confinement.workspace,
    environment: { ...allowEnvironment(host.environment, confinement), ...command.environment },
    containment: 'group',
    wrapperDepth: 0,
  }
}

/** What runs inside the namespaces: rights given up, limits set, then the program. */
function inside(command: Command, limits: Limits, identity: Identity | undefined): string[] {
  const drop = ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all']
  const become = identity
    ? [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, '--clear-groups', ...drop]
    : drop
  // All agents of root share one user id; a user namespace of its own lets the kernel count each one's processes.
  const counted = identity ? ['unshare', '--user', '--map-current-user', '--'] : []
  return [
    ...['setpriv', ...become, '--'],
    ...counted,
    ...['prlimit', ...limitArguments(limits), '--'],
    command.program,
    ...command.args,
  ]
}

function limitArguments(limits: Limits): string[] {
  return [`--nproc=${limits.processesMax}`, ...sizeArguments(limits)]
}

function sizeArguments({ memoryBytesMax, fileBytesMax }: Limits): string[] {
  return [`--data=${memoryBytesMax}`, `--fsize=${fileBytesMax}`, '--core=0']
}
