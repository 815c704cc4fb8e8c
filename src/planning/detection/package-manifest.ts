import type { ProjectView } from './project-view.ts'

/** The parts of a package.json that detection needs, even if other parts are invalid. */
export interface PackageManifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly packages: readonly string[]
  readonly packageManager: string
  readonly workspaces: readonly string[]
  readonly broken: boolean
}

export function readManifest(view: ProjectView, path: string): PackageManifest {
  const parsed = parseObject(view.read(path))
  const raw = parsed ?? {}
  const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const { workspaces } = raw
  return {
    scripts: texts(raw.scripts),
    packages: sections.flatMap((section) => Object.keys(texts(raw[section]))),
    packageManager: typeof raw.packageManager === 'string' ? raw.packageManager : '',
    workspaces: list(Array.isArray(workspaces) ? workspaces : record(workspaces).packages),
    broken: parsed === undefined,
  }
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(record(value))
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** The folders that are members of this package's workspace. */
export function workspacePatterns(view: ProjectView, manifest: PackageManifest): RegExp[] {
  const lerna = list(parseObject(view.read('lerna.json'))?.packages)
  const globs = [...manifest.workspaces, ...pnpmPackages(view.read('pnpm-workspace.yaml')), ...lerna]
  return globs.filter((glob) => !glob.startsWith('!')).map(globPattern)
}

/** The list under `packages:`; the rest of the file does not matter here. */
function pnpmPackages(yaml: string): string[] {
  const block = /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(yaml)?.[1] ?? ''
  return [...block.matchAll(/^\s*-\s*['"]?([^'"\n#]+?)['"]?\s*(?:#.*)?$/gm)].map((match) => match[1] ?? '')
}

/** `packages/*` and `apps/**` as patterns over folder names. */
export function globPattern(glob: string): RegExp {
  const body = glob
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**', '\u0000')
    .replaceAll('*', '[^/]+')
    .replaceAll('\u0000', '.+')
  return new RegExp(`^${body}$`)
}
