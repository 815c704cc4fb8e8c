import type { DetectedUnit, UnitFinder } from './detected.ts'
import { findDotnet, findGo, findJava, findRust } from './find-compiled.ts'
import { findNode } from './find-node.ts'
import { findPython } from './find-python.ts'
import { findMake, findPhp, findRuby } from './find-scripted.ts'
import { hasMatch, type ProjectView, viewBelow } from './project-view.ts'

interface Stack {
  readonly find: UnitFinder
  readonly manifest: RegExp
  /** A nested manifest is a separate unit only with one of these beside it; else it belongs to its parent. */
  readonly standsAlone?: RegExp
}

const STACKS: readonly Stack[] = [
  {
    find: findNode,
    manifest: /^package\.json$/,
    standsAlone: /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/,
  },
  {
    find: findPython,
    manifest: /^(pyproject\.toml|setup\.py|setup\.cfg|requirements[^/]*\.txt|Pipfile)$/,
    standsAlone: /^(pyproject\.toml|uv\.lock|poetry\.lock|Pipfile)$/,
  },
  { find: findGo, manifest: /^go\.(mod|work)$/, standsAlone: /^go\.mod$/ },
  { find: findRust, manifest: /^Cargo\.toml$/, standsAlone: /^Cargo\.lock$/ },
  { find: findJava, manifest: /^(pom\.xml|(build|settings)\.gradle(\.kts)?)$/ },
  { find: findRuby, manifest: /^Gemfile$/, standsAlone: /^Gemfile\.lock$/ },
  { find: findPhp, manifest: /^composer\.json$/, standsAlone: /^composer\.lock$/ },
  { find: findDotnet, manifest: /\.(slnx?|csproj|fsproj|vbproj)$/ },
]

const DEPTH_MAX = 3
/** More than a person would read; a repository with more units has commands at its root. */
const UNITS_MAX = 12

/** Folders whose manifests do not describe the project: third-party packages, samples, test inputs. */
const ELSEWHERE =
  /(^|\/)(node_modules|vendor|third[_-]party|__?fixtures__?|fixtures?|examples?|samples?|templates?|testdata|tests?|specs?|e2e|docs?|dist|target|\.[^/]+)(\/|$)/i

/** The parts of a repository that have a tool chain of their own, the root first. */
export function detectUnits(view: ProjectView): DetectedUnit[] {
  const units = STACKS.flatMap((stack) => unitsOf(view, stack)).toSorted(
    (a, b) => depth(a.folder) - depth(b.folder) || compare(a.folder, b.folder),
  )
  const useful = units.filter(({ commands }) => commands.length > 0)
  if (useful.length > 0) return useful.slice(0, UNITS_MAX)
  const make = findMake(view)
  if (make !== undefined && make.commands.length > 0) return [{ folder: '', ...make }]
  return units.slice(0, UNITS_MAX)
}

function unitsOf(view: ProjectView, { find, manifest, standsAlone }: Stack): DetectedUnit[] {
  const found: DetectedUnit[] = []
  for (const folder of foldersWith(view, manifest)) {
    const above = found.filter((unit) => isBelow(folder, unit.folder))
    const below = viewBelow(view, folder)
    const isMember = above.some((unit) => unit.members.some((member) => join(unit.folder, member) === folder))
    const alone = standsAlone !== undefined && hasMatch(below, standsAlone)
    if (above.length > 0 && (isMember || !alone)) continue
    const unit = find(below)
    if (unit !== undefined) found.push({ folder, ...unit })
  }
  return found
}

function foldersWith(view: ProjectView, manifest: RegExp): string[] {
  const folders = view.files
    .map((path) => path.split('/'))
    .filter((steps) => steps.length <= DEPTH_MAX + 1 && manifest.test(steps.at(-1) ?? ''))
    .map((steps) => steps.slice(0, -1).join('/'))
    .filter((folder) => !ELSEWHERE.test(folder))
  return [...new Set(folders)].toSorted((a, b) => depth(a) - depth(b) || compare(a, b))
}

function isBelow(folder: string, above: string): boolean {
  return above === '' ? folder !== '' : folder.startsWith(`${above}/`)
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
