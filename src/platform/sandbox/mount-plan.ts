import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command, Confinement, SandboxHost } from './confinement.ts'

export type Mount =
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'bind'; readonly from: string; readonly to: string; readonly writable: boolean }

/** Where people, services and other programs keep what is theirs. */
const MASKED = ['/home', '/root', '/tmp', '/var/tmp', '/run', '/mnt']

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
 * The mounts over a read-only `/`, in the order in which they are made: a later one lies over an earlier one, so
 * that what is hidden comes first and what is opened again comes last.
 */
export async function planMounts(
  confinement: Confinement,
  command: Command,
  host: SandboxHost,
): Promise<Mount[]> {
  const usual = await existing(MASKED)
  const own = await existing(confinement.masked)
  const isMasked = (path: string) =>
    [...usual, ...own].some((mask) => path === mask || path.startsWith(`${mask}/`))
  const toolchains = await existing(toolchainsIn(host.home))
  const needed = [...(await existing(['/etc/resolv.conf'])), ...(await programPaths(command.files ?? []))]
  return [
    ...usual.map((path) => ({ kind: 'empty', path }) as const),
    bind(confinement.temporary, '/tmp', true),
    bind(confinement.home, host.home, true),
    ...own.map((path) => ({ kind: 'empty', path }) as const),
    ...toolchains.map((path) => bind(path, path, false)),
    ...needed.filter(isMasked).map((path) => bind(path, path, false)),
    ...confinement.readOnly.map((path) => bind(path, path, false)),
    bind(confinement.workspace, confinement.workspace, true),
    ...confinement.readWrite.map((path) => bind(path, path, true)),
  ]
}

function toolchainsIn(home: string): string[] {
  return TOOLCHAINS.map((name) => join(home, name))
}

function bind(from: string, to: string, writable: boolean): Mount {
  return { kind: 'bind', from, to, writable }
}

/** Real paths of those that exist, once each. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(real.filter((path) => path !== undefined))]
}

/**
 * What must be readable for a program to start, wherever it lies. A package's program needs the packages around it, so
 * its whole `node_modules` counts as part of it.
 */
async function programPaths(files: readonly string[]): Promise<string[]> {
  const paths: string[] = []
  for (const path of [process.execPath, ...files]) {
    const found = await lstat(path).catch(() => undefined)
    const [real] = await existing([path])
    if (!found || found.isDirectory() || real === undefined) continue
    // A link is started by its own name, which has to exist inside as well.
    if (found.isSymbolicLink()) paths.push(path)
    paths.push(packagesAround(real) ?? real)
  }
  return [...new Set(paths)]
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
  // A package's program looks for its packages around its real place, not around the link that led there.
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

/** The folders above a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) parents.unshift(folder)
  return parents
}
