import { type CommandKind, type DetectedCommand, present, type UnitFinder } from './detected.ts'
import { type NodeManager, nodeManagers } from './node-manager.ts'
import { type PackageManifest, readManifest, workspacePatterns } from './package-manifest.ts'
import { hasFile, hasMatch, type ProjectView } from './project-view.ts'

/** Usual script names of each kind, the preferred one first. */
const SCRIPTS: Readonly<Record<CommandKind, readonly string[]>> = {
  test: ['test:ci', 'test', 'test:unit', 'tests', 'unit'],
  lint: ['lint:check', 'lint', 'eslint', 'biome'],
  types: ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc'],
  build: ['build', 'compile'],
}

const FRAMEWORKS: Readonly<Record<string, string>> = {
  next: 'Next.js',
  nuxt: 'Nuxt',
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  '@angular/core': 'Angular',
  astro: 'Astro',
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  koa: 'Koa',
  '@nestjs/core': 'NestJS',
  electron: 'Electron',
  vite: 'Vite',
  vitest: 'Vitest',
  jest: 'Jest',
  mocha: 'Mocha',
  '@playwright/test': 'Playwright',
  turbo: 'Turborepo',
  nx: 'Nx',
}

/** What `npm init` writes when there are no tests. */
const NO_TESTS = /no test specified/
/** A check that changes what it checks proves nothing about the commit. */
const MENDS = /\s--(fix|write)\b/

export const findNode: UnitFinder = (view) => {
  if (!hasFile(view, 'package.json')) return undefined
  const manifest = readManifest(view, 'package.json')
  const members = memberManifests(view, manifest)
  const all = [manifest, ...members.map(({ manifest: member }) => member)]
  const { manager, note } = nodeManagers(view, manifest)
  const packages = new Set(all.flatMap((one) => one.packages))
  const commands = present(
    ...(['test', 'lint', 'types', 'build'] as const).map(
      (kind) =>
        fromScript(kind, manifest, manager) ??
        fromMembers(kind, members, manager) ??
        fromTool(kind, view, packages, manager),
    ),
  )
  return {
    language:
      hasMatch(view, /(^|\/)tsconfig[^/]*\.json$/) || packages.has('typescript')
        ? 'TypeScript'
        : 'JavaScript',
    packageManager: manager.name,
    frameworks: Object.entries(FRAMEWORKS).flatMap(([name, title]) => (packages.has(name) ? [title] : [])),
    members: members.map(({ folder }) => folder),
    ...(packages.size > 0 || members.length > 0 ? { setup: manager.install } : {}),
    dependencies: ['node_modules', ...members.map(({ folder }) => `${folder}/node_modules`)],
    commands,
    notes: present(note, manifest.broken && 'package.json is no valid JSON'),
  }
}

function fromScript(
  kind: CommandKind,
  { scripts }: PackageManifest,
  manager: NodeManager,
): DetectedCommand | undefined {
  const name = chooseScript(kind, scripts)
  if (name === undefined) return undefined
  const line = scripts[name] ?? ''
  const once = /react-scripts test/.test(line) ? 'CI=true ' : ''
  return { kind, command: `${once}${manager.run(name)}`, because: `script "${name}": ${line}` }
}

/** A watching test never ends, so its one-shot neighbour is taken first. */
function chooseScript(kind: CommandKind, scripts: Readonly<Record<string, string>>): string | undefined {
  const usable = SCRIPTS[kind].filter(
    (name) => scripts[name] && !NO_TESTS.test(scripts[name]) && !MENDS.test(scripts[name]),
  )
  return usable.find((name) => !/--watch(?!\s*=?\s*false)|\bwatch\b/.test(scripts[name] ?? '')) ?? usable[0]
}

interface Member {
  readonly folder: string
  readonly manifest: PackageManifest
}

function memberManifests(view: ProjectView, manifest: PackageManifest): Member[] {
  const patterns = workspacePatterns(view, manifest)
  return view.files
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((folder) => patterns.some((pattern) => pattern.test(folder)) && !folder.includes('node_modules'))
    .map((folder) => ({ folder, manifest: readManifest(view, `${folder}/package.json`) }))
}

function fromMembers(
  kind: CommandKind,
  members: readonly Member[],
  manager: NodeManager,
): DetectedCommand | undefined {
  const names = SCRIPTS[kind]
  const name = names.find((script) =>
    members.some(({ manifest }) => manifest.scripts[script] && !NO_TESTS.test(manifest.scripts[script])),
  )
  if (name === undefined) return undefined
  const having = members.filter(({ manifest }) => manifest.scripts[name]).map(({ folder }) => folder)
  return { kind, command: manager.runInMembers(name), because: `script "${name}" of ${having.join(', ')}` }
}

function fromTool(
  kind: CommandKind,
  view: ProjectView,
  packages: ReadonlySet<string>,
  manager: NodeManager,
): DetectedCommand | undefined {
  const use = (
    tool: string,
    evidence: boolean,
    line: string,
    because: string,
  ): DetectedCommand | undefined =>
    evidence && packages.has(tool) ? { kind, command: manager.execute(line), because } : undefined
  switch (kind) {
    case 'test':
      return (
        use('vitest', true, 'vitest run', 'package vitest') ??
        use('jest', true, 'jest', 'package jest') ??
        use('mocha', true, 'mocha', 'package mocha') ??
        nodeRunner(view)
      )
    case 'lint':
      return (
        use('@biomejs/biome', hasMatch(view, /^biome\.jsonc?$/), 'biome check .', 'biome.json') ??
        use(
          'eslint',
          hasMatch(view, /^(eslint\.config\.[cm]?[jt]s|\.eslintrc(\.[a-z]+)?)$/),
          'eslint .',
          'configuration of eslint',
        )
      )
    case 'types':
      return use('typescript', hasFile(view, 'tsconfig.json'), 'tsc --noEmit', 'tsconfig.json')
    case 'build':
      return undefined
  }
}

function nodeRunner(view: ProjectView): DetectedCommand | undefined {
  const file = view.files.find((path) => /\.test\.[cm]?js$/.test(path) && /node:test/.test(view.read(path)))
  return file === undefined
    ? undefined
    : { kind: 'test', command: 'node --test', because: `${file} uses node:test` }
}
