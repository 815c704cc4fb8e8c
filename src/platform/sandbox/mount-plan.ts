import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import type { Command, Confinement, SandboxHost } from './confinement.ts'
import { SYSTEM_PATH } from './environment.ts'

/**
 * All paths are absolute, without links, `..` or a trailing slash; the target of a link is as it was written.
 */
export type Mount =
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'bind'; readonly from: string; readonly to: string; readonly writable: boolean }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }

export interface MountPlan {
  /** In the order in which they are made. */
  readonly mounts: readonly Mount[]
  /** Links in the private HOME or `/tmp` that are needed so that a path resolves as it does outside. */
  readonly privateLinks: readonly Link[]
}

export interface Link {
  readonly path: string
  readonly target: string
}

/** Where users, services and other programs keep their files. */
export const MASKED = ['/home', '/root', '/tmp', '/var/tmp', '/run', '/mnt']

/** Toolchains that are commonly installed for one user. */
const TOOLCHAINS = [
  '.nvm',
  '.pyenv',
  '.cargo/bin',
  '.rustup',
  '.local/bin',
  'go',
  '.sdkman',
  '.bun',
  '.volta',
]

/**
 * The mounts over a read-only `/`: a later one covers an earlier one, so hidden places come first and
 * reopened ones last. A path is mounted at its real place, and each link on the way to it is created again
 * where the original is hidden; so every spelling of a path leads to the same file as outside.
 */
export async function planMounts(
  confinement: Confinement,
  command: Command,
  host: SandboxHost,
): Promise<MountPlan> {
  const usual = await existing(MASKED)
  const own = await existing(confinement.masked)
  const isMasked = (path: string) => [...usual, ...own].some((mask) => isWithin(path, mask))
  const isOwn = (path: string) => own.some((mask) => isWithin(path, mask))
  const toolchains = await walkAll(await present(TOOLCHAINS.map((name) => join(host.home, name))))
  const needed = await walkAll(
    await present(['/etc/resolv.conf', ...nodeFolders(), ...(await programFiles(command))]),
  )
  const readOnly = await walkAll(confinement.readOnly)
  const workspace = await walkAll([confinement.workspace])
  const readWrite = await walkAll(confinement.readWrite)
  const mounts: Mount[] = [
    ...usual.map(empty),
    bind(confinement.temporary, '/tmp', true),
    bind(confinement.home, host.home, true),
    // A toolchain must not expose a repository inside it, such as one below `~/go`.
    ...toolchains.paths.filter((path) => !isOwn(path)).map(visible),
    ...own.map(empty),
    ...toolchains.paths.filter(isOwn).map(visible),
    ...needed.paths.map(programAround).filter(isMasked).map(visible),
    ...readOnly.paths.map(visible),
    ...workspace.paths.map((path) => bind(path, path, true)),
    ...readWrite.paths.map((path) => bind(path, path, true)),
  ]
  refuseMovable([...readOnly.links, ...readWrite.links], [...workspace.paths, ...readWrite.paths])
  const links = [toolchains, needed, readOnly, workspace, readWrite].flatMap((walked) => walked.links)
  return withLinks(mounts, links)
}

/** An agent can redirect a link in a folder that it may write, and the next run would open the new target. */
function refuseMovable(links: readonly Link[], writable: readonly string[]): void {
  const movable = links.find(({ path }) => writable.some((folder) => isWithin(path, folder)))
  if (!movable) return
  throw new Failure('SANDBOX_LINK', `${movable.path} is a link that an agent can change.`, {
    hint: 'Name the real folder in "sandbox.readOnly" or "sandbox.readWrite".',
  })
}

/** Adds the links whose place is hidden by the mounts; every other link is visible in place. */
function withLinks(mounts: readonly Mount[], links: readonly Link[]): MountPlan {
  const made: Mount[] = []
  const privateLinks: Link[] = []
  for (const link of new Map(links.map((one) => [one.path, one])).values()) {
    const cover = mounts.findLast((mount) => mount.kind !== 'link' && isWithin(link.path, placeOf(mount)))
    if (cover?.kind === 'empty') made.push({ kind: 'link', ...link })
    if (cover?.kind === 'bind' && cover.from !== cover.to)
      privateLinks.push({ path: join(cover.from, link.path.slice(cover.to.length)), target: link.target })
  }
  return { mounts: [...mounts, ...made], privateLinks }
}

function placeOf(mount: Mount): string {
  return mount.kind === 'bind' ? mount.to : mount.path
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function empty(path: string): Mount {
  return { kind: 'empty', path }
}

function visible(path: string): Mount {
  return bind(path, path, false)
}

function bind(from: string, to: string, writable: boolean): Mount {
  return { kind: 'bind', from, to, writable }
}

/** Real paths of those that exist, once each. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(real.filter((path) => path !== undefined))]
}

async function present(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  return paths.filter((_, at) => found[at] !== undefined)
}

interface Walked {
  /** The real paths, once each. */
  readonly paths: readonly string[]
  /** Every link on the way, by its real place. */
  readonly links: readonly Link[]
}

/** The kernel's own limit. */
const LINKS_MAX = 40

async function walkAll(paths: readonly string[]): Promise<Walked> {
  const walked = await Promise.all(paths.map(walk))
  return {
    paths: [...new Set(walked.map(({ path }) => path))],
    links: walked.flatMap(({ links }) => links),
  }
}

/**
 * Resolves a path as the kernel does. A missing part is left as spelled: the mount then reports the error.
 */
async function walk(path: string): Promise<{ readonly path: string; readonly links: readonly Link[] }> {
  const links: Link[] = []
  let real = '/'
  let ahead = resolve(path).split('/').filter(Boolean)
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const here = join(real, name)
    const found = await lstat(here).catch(() => undefined)
    if (found?.isSymbolicLink() !== true || links.length >= LINKS_MAX) {
      real = here
      continue
    }
    const target = await readlink(here)
    links.push({ path: here, target })
    if (target.startsWith('/')) real = '/'
    ahead = [...target.split('/').filter(Boolean), ...ahead]
  }
  return { path: real, links }
}

/** Files that must be readable for a program to start, wherever they are. */
async function programFiles({ files = [] }: Command): Promise<string[]> {
  const found = await Promise.all(files.map((path) => stat(path).catch(() => undefined)))
  return [process.execPath, ...files.filter((_, at) => found[at]?.isDirectory() === false)]
}

/**
 * Node with npm and everything installed beside it; where the programs are not in a `bin` folder, Node alone.
 */
function nodeFolders(): string[] {
  const programs = dirname(process.execPath)
  return basename(programs) === 'bin' ? [programs, join(dirname(programs), 'lib/node_modules')] : []
}

/** A package's program needs the packages around it, so its whole `node_modules` counts as part of it. */
function programAround(path: string): string {
  return packagesAround(path) ?? path
}

function packagesAround(path: string): string | undefined {
  const at = path.indexOf('/node_modules/')
  return at < 0 ? undefined : path.slice(0, at + '/node_modules'.length)
}

/** The command with its program found and counted among its files. */
export async function locateProgram(
  command: Command,
  workspace: string,
  host: SandboxHost,
): Promise<Command> {
  const found = await findProgram(command.program, host.environment.PATH ?? '', workspace)
  if (found === undefined) return command
  // A package's program looks for its packages near its real path, not near the link to it.
  const real = await realpath(found)
  const program = packagesAround(real) === undefined ? command.program : real
  return { ...command, program, files: [...(command.files ?? []), found] }
}

/** The file that a shell would start, or undefined. */
export async function findProgram(name: string, path: string, cwd: string): Promise<string | undefined> {
  const candidates = name.includes('/')
    ? [resolve(cwd, name)]
    : path
        .split(':')
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, name))
  const found = await Promise.all(candidates.map(isProgram))
  return candidates.find((_, i) => found[i])
}

async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && (found.mode & 0o111) !== 0
}

/** A tool that has to start inside a sandbox, where the folders of the user's search path may be hidden. */
export async function locateTool(name: string): Promise<string> {
  return (await findTool(name)) ?? name
}

/** A tool of the system itself; undefined where it is not installed. */
export function findTool(name: string): Promise<string | undefined> {
  return findProgram(name, SYSTEM_PATH, '/')
}

/** The folders above a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) parents.unshift(folder)
  return parents
}
