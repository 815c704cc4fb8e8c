import type { ProjectView } from './project-view.ts'

/** What a fresh checkout lacks, and what else the project runs before a commit. */
export interface Surroundings {
  /** Commit hooks that could serve as checks: agents' workspaces have no hooks. */
  readonly hooks: readonly {
    readonly tool: string
    readonly file: string
    readonly command?: string
    readonly note?: string
  }[]
  /** Files with settings or secrets that are not in git. */
  readonly environmentFiles: readonly string[]
  /** A template of such a file that is in git, without the file itself. */
  readonly missingEnvironment?: string
  /** Variable → port that the project listens on. */
  readonly ports: Readonly<Record<string, number>>
  /** Variable or service → what kind of database it is. */
  readonly databases: Readonly<Record<string, string>>
}

const ENVIRONMENT_FILES = ['.env', '.env.local', '.env.development', '.env.test']
const TEMPLATE = /(^|\/)\.env\.(example|sample|template|dist)$/
const COMPOSE = /^(docker-)?compose[^/]*\.ya?ml$/

const DATABASES: readonly (readonly [RegExp, string])[] = [
  [/postg(res|is)/i, 'PostgreSQL'],
  [/mysql|mariadb/i, 'MySQL'],
  [/mongo/i, 'MongoDB'],
  [/redis|valkey/i, 'Redis'],
  [/elasticsearch|opensearch/i, 'Elasticsearch'],
]

/** `untracked` names files that git does not list; their content is not read, since it may be secret. */
export function detectSurroundings(view: ProjectView, untracked: readonly string[]): Surroundings {
  const environmentFiles = ENVIRONMENT_FILES.filter((name) => untracked.includes(name))
  const template = view.files.find((path) => TEMPLATE.test(path))
  const settings = template === undefined ? '' : view.read(template)
  const compose = view.files.filter((path) => COMPOSE.test(path)).map((path) => view.read(path))
  return {
    hooks: findHooks(view),
    environmentFiles,
    ...(template !== undefined && environmentFiles.length === 0 ? { missingEnvironment: template } : {}),
    ports: findPorts(view, settings),
    databases: { ...databaseVariables(settings), ...databaseServices(compose) },
  }
}

export const UNTRACKED_CANDIDATES: readonly string[] = ENVIRONMENT_FILES

function findHooks(view: ProjectView): Surroundings['hooks'] {
  return view.files.flatMap((file) => {
    if (file === '.pre-commit-config.yaml')
      return [{ tool: 'pre-commit', file, command: 'pre-commit run --all-files' }]
    if (/^\.?lefthook\.ya?ml$/.test(file)) return [{ tool: 'lefthook', file, command: lefthook(view) }]
    if (file === '.husky/pre-commit') return [husky(view.read(file), file)]
    return []
  })
}

function lefthook(view: ProjectView): string {
  const local = /"lefthook"/.test(view.read('package.json')) ? 'npx --no-install ' : ''
  return `${local}lefthook run pre-commit --all-files`
}

function husky(script: string, file: string): Surroundings['hooks'][number] {
  if (/lint-staged|--staged/.test(script)) {
    return {
      tool: 'husky',
      file,
      note: 'it looks at staged files only, so it would check nothing in a clean checkout',
    }
  }
  return { tool: 'husky', file, command: `sh -e ${file}` }
}

function findPorts(view: ProjectView, settings: string): Record<string, number> {
  const named = [...settings.matchAll(/^(?:export\s+)?([A-Z_]*PORT)\s*=\s*["']?(\d{2,5})\b/gm)]
  const ports = Object.fromEntries(named.map((match) => [match[1] ?? '', Number(match[2])]))
  const script = /"(?:start|dev|serve)":\s*"[^"]*(?:--port[= ]|-p )(\d{2,5})/.exec(
    view.read('package.json'),
  )?.[1]
  return script === undefined || Object.values(ports).includes(Number(script))
    ? ports
    : { ...ports, PORT: Number(script) }
}

function databaseVariables(settings: string): Record<string, string> {
  const lines = [
    ...settings.matchAll(
      /^(?:export\s+)?([A-Z_]*(?:DATABASE|DB|MONGO|REDIS|POSTGRES|MYSQL)[A-Z_]*(?:URL|URI|DSN))\s*=(.*)$/gm,
    ),
  ]
  return Object.fromEntries(lines.map((match) => [match[1] ?? '', kindOfDatabase(`${match[1]} ${match[2]}`)]))
}

function databaseServices(compose: readonly string[]): Record<string, string> {
  const images = compose.flatMap((text) =>
    [...text.matchAll(/^\s*image:\s*["']?([^\s"']+)/gm)].map((match) => match[1] ?? ''),
  )
  const known = images.filter((image) => DATABASES.some(([pattern]) => pattern.test(image)))
  return Object.fromEntries(known.map((image) => [image, kindOfDatabase(image)]))
}

function kindOfDatabase(text: string): string {
  return DATABASES.find(([pattern]) => pattern.test(text))?.[1] ?? 'database'
}
