import type { PackageManifest } from './package-manifest.ts'
import { hasFile, type ProjectView } from './project-view.ts'

export interface NodeManager {
  readonly name: string
  readonly install: string
  run(script: string): string
  runInMembers(script: string): string
  execute(line: string): string
}

const LOCKFILES: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
}

/** The package manager of a manifest: the one it names, else the one whose lock file is there, else npm. */
export function nodeManagers(
  view: ProjectView,
  manifest: PackageManifest,
): { manager: NodeManager; note?: string } {
  const locks = Object.keys(LOCKFILES).filter((name) => hasFile(view, name))
  const byLock = [...new Set(locks.map((name) => LOCKFILES[name] ?? ''))]
  const named = /^(npm|pnpm|yarn|bun)@/.exec(manifest.packageManager)?.[1]
  const workspace = hasFile(view, 'pnpm-workspace.yaml') ? 'pnpm' : undefined
  const name = named ?? byLock[0] ?? workspace ?? 'npm'
  const manager = createManager(name, view, manifest, locks.length > 0)
  if (named !== undefined || byLock.length < 2) return { manager }
  const note = `lock files of ${byLock.join(' and ')} are there; ${name} is taken. Remove the other, or set "packageManager"`
  return { manager, note }
}

function createManager(
  name: string,
  view: ProjectView,
  manifest: PackageManifest,
  locked: boolean,
): NodeManager {
  switch (name) {
    case 'pnpm':
      return {
        name,
        install: locked ? 'pnpm install --frozen-lockfile' : 'pnpm install',
        run: (script) => `pnpm run ${script}`,
        runInMembers: (script) => `pnpm --recursive --if-present run ${script}`,
        execute: (line) => `pnpm exec ${line}`,
      }
    case 'yarn': {
      const classic = isYarnClassic(view, manifest)
      const frozen = classic ? '--frozen-lockfile' : '--immutable'
      return {
        name,
        install: locked ? `yarn install ${frozen}` : 'yarn install',
        run: (script) => `yarn run ${script}`,
        runInMembers: (script) =>
          classic ? `yarn workspaces run ${script}` : `yarn workspaces foreach --all run ${script}`,
        execute: (line) => `yarn run ${line}`,
      }
    }
    case 'bun':
      return {
        name,
        install: locked ? 'bun install --frozen-lockfile' : 'bun install',
        run: (script) => `bun run ${script}`,
        runInMembers: (script) => `bun run --filter '*' ${script}`,
        execute: (line) => `bunx ${line}`,
      }
    default:
      return {
        name: 'npm',
        install: locked ? 'npm ci' : 'npm install',
        run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
        runInMembers: (script) => `npm run ${script} --workspaces --if-present`,
        execute: (line) => `npx --no-install ${line}`,
      }
  }
}

/** Yarn 2 and later writes a `__metadata` entry, has a `.yarnrc.yml`, or is identified by its version. */
function isYarnClassic(view: ProjectView, manifest: PackageManifest): boolean {
  if (/^yarn@(?!1\.)/.test(manifest.packageManager)) return false
  return !hasFile(view, '.yarnrc.yml') && !/^__metadata:/m.test(view.read('yarn.lock'))
}
