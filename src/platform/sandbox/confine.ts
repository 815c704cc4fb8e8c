import assert from 'node:assert/strict'
import { lstat, mkdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Failure } from '../failure.ts'
import { giveFolder } from '../files/give-folder.ts'
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
import { findTool, type Link, locateProgram, locateTool, type Mount, planMounts } from './mount-plan.ts'
import { unshareScript } from './unshare-script.ts'

/** bwrap or unshare, then the first process of the namespace; the program is the child of that one. */
const NAMESPACE_DEPTH = 2

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/**
 * Turns a command into one that runs confined at the given level. Creates the private folders, which belong
 * to the user that the program will run as.
 */
export async function confine(
  command: Command,
  asked: Confinement,
  level: SandboxLevel,
  outside: SandboxHost,
): Promise<SpawnRequest> {
  refuseWhatCannotBeHeld(asked, level)
  const confinement = await openFolders(asked)
  const { home, temporary, workspace } = confinement
  // The workspace is writable inside: it must never be a masked folder, such as the repository itself.
  for (const masked of confinement.masked)
    assert(
      (await realpath(masked).catch(() => masked)) !== workspace,
      `${workspace} is no place for an agent`,
    )
  const host = { ...outside, home: await realpath(outside.home).catch(() => outside.home) }
  const identity = identityFor(level, host)
  const located = await locateProgram(command, workspace, host)
  if (level === 'process-group') return inGroup(located, confinement, host)
  const wrapped = throughProxy(located, confinement)
  const { mounts, privateLinks } = await planMounts(wrapped.confinement, wrapped.command, host)
  for (const folder of parentsInHome(mounts, confinement, host)) await makeBelow(home, folder)
  for (const link of privateLinks) await makeLink(link, confinement)
  if (identity) for (const folder of [home, temporary, workspace]) await giveFolder(folder, identity)
  const inner = await inside(wrapped.command, confinement.limits, identity)
  const enclosed =
    level === 'bwrap'
      ? inBwrap(wrapped, mounts, host, inner)
      : await inNamespaces(wrapped, mounts, host, { inner, isRoot: identity !== undefined })
  return { ...enclosed, wrapperDepth: wrapped.wrapperDepth }
}

/** Creates the private folders, and resolves the folders of the program to their real paths. */
async function openFolders(asked: Confinement): Promise<Confinement> {
  for (const folder of [asked.home, asked.temporary]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const [home, temporary, workspace] = await Promise.all([
    realpath(asked.home),
    realpath(asked.temporary),
    realpath(asked.workspace).catch(() => asked.workspace),
  ])
  return { ...asked, home, temporary, workspace }
}

/** Makes a folder below one that an earlier agent could write: a link that it left on the way is not followed. */
async function makeBelow(top: string, folder: string): Promise<void> {
  let path = top
  for (const name of relative(top, folder).split('/').filter(Boolean)) {
    path = join(path, name)
    const found = await lstat(path).catch(() => undefined)
    if (found && !found.isDirectory()) await rm(path)
    if (!found?.isDirectory()) await mkdir(path, { mode: 0o700 })
  }
}

async function makeLink({ path, target }: Link, { home, temporary }: Confinement): Promise<void> {
  const top = path.startsWith(`${home}/`) ? home : temporary
  await makeBelow(top, dirname(path))
  if ((await readlink(path).catch(() => undefined)) === target) return
  await rm(path, { recursive: true, force: true })
  await symlink(target, path)
}

/** The command that runs inside: the program, or the forwarder that starts it. */
interface Wrapped {
  readonly command: Command
  readonly confinement: Confinement
  readonly wrapperDepth: number
}

/**
 * The parents of mounts below HOME, such as `.cache` when the program is in it. Created beforehand in the
 * private HOME, or they would belong to root and be closed to every program that keeps its own files in them.
 */
function parentsInHome(mounts: readonly Mount[], confinement: Confinement, host: SandboxHost): string[] {
  const below = `${host.home}/`
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

/** Agents started by root must not run as root, which can read everything and has no process limit. */
export function identityFor(level: SandboxLevel, host: SandboxHost): Identity | undefined {
  if (level === 'process-group' || process.getuid?.() !== 0) return undefined
  return host.identity ?? NOBODY
}

/** Where only named hosts are allowed, a forwarder inside connects to the proxy outside. */
function throughProxy(command: Command, confinement: Confinement): Wrapped {
  const { network } = confinement
  if (network.kind !== 'proxy') return { command, confinement, wrapperDepth: NAMESPACE_DEPTH }
  const address = `http://127.0.0.1:${PROXY_PORT}`
  const local = 'localhost,127.0.0.1,::1'
  return {
    command: {
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
    confinement: { ...confinement, readOnly: [...confinement.readOnly, network.socket] },
    wrapperDepth: NAMESPACE_DEPTH + 1,
  }
}

type Enclosed = Omit<SpawnRequest, 'wrapperDepth'>

function inBwrap(
  { command, confinement }: Wrapped,
  mounts: readonly Mount[],
  host: SandboxHost,
  inner: readonly string[],
): Enclosed {
  const args = bwrapArguments(mounts, {
    cwd: confinement.workspace,
    network: confinement.network.kind === 'host',
  })
  return {
    program: 'bwrap',
    args: [...args, ...inner],
    ...around(command, host),
  }
}

async function inNamespaces(
  { command, confinement }: Wrapped,
  mounts: readonly Mount[],
  host: SandboxHost,
  { inner, isRoot }: { readonly inner: readonly string[]; readonly isRoot: boolean },
): Promise<Enclosed> {
  const root = `${confinement.home}.root`
  await mkdir(root, { recursive: true, mode: 0o700 })
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=SIGKILL']
  if (confinement.network.kind !== 'host') namespaces.push('--net')
  if (!isRoot) namespaces.push('--user', '--map-current-user', '--keep-caps')
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
      ...inner,
    ],
    ...around(command, host),
  }
}

function around(command: Command, host: SandboxHost): Pick<Enclosed, 'cwd' | 'environment' | 'containment'> {
  return {
    cwd: '/',
    environment: {
      ...allowEnvironment(host.environment, { home: host.home, temporary: '/tmp' }),
      ...command.environment,
    },
    containment: 'namespace',
  }
}

/**
 * As confined as this machine allows: `setpriv` and `prlimit` are Linux tools, and a minimal system may lack
 * them.
 */
async function inGroup(command: Command, confinement: Confinement, host: SandboxHost): Promise<SpawnRequest> {
  const [setpriv, prlimit] = await Promise.all(['setpriv', 'prlimit'].map(findTool))
  const [program = command.program, ...args] = [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig=KILL', '--']),
    // No process limit: here it would count all processes of the user, and refuse the agent its first fork.
    ...(prlimit === undefined ? [] : [prlimit, ...sizeArguments(confinement.limits), '--']),
    command.program,
    ...command.args,
  ]
  return {
    program,
    args,
    cwd: confinement.workspace,
    environment: { ...allowEnvironment(host.environment, confinement), ...command.environment },
    containment: 'group',
    wrapperDepth: 0,
  }
}

/** The command inside the namespaces: drops privileges, sets limits, then starts the program. */
async function inside(command: Command, limits: Limits, identity: Identity | undefined): Promise<string[]> {
  const drop = ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all']
  const become = identity
    ? [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, '--clear-groups', ...drop]
    : drop
  // All agents of root share one user id; with a user namespace each, the kernel counts their processes
  // separately.
  const counted = identity ? [await locateTool('unshare'), '--user', '--map-current-user', '--'] : []
  return [
    ...[await locateTool('setpriv'), ...become, '--'],
    ...counted,
    ...[await locateTool('prlimit'), ...limitArguments(limits), '--'],
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
