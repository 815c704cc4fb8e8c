import { configJsonSchema } from '../../config/schema.ts'
import { CASE_TYPES, PERSONAS, type Vocabulary } from '../../vocabulary/vocabulary.ts'

export interface ProjectFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** Folders created at the start, so that no code has to check whether they exist. */
export function projectFolders({ folder }: Vocabulary): string[] {
  return ['specs', 'logs', 'metrics', 'feedback'].map((name) => `${folder}/${name}`)
}

/** The files of a project's folder beside the agents' and the configuration. */
export function projectFiles(vocabulary: Vocabulary): ProjectFile[] {
  const { folder } = vocabulary
  return [
    { path: `${folder}/.gitignore`, text: ignoreList(vocabulary) },
    { path: `${folder}/.gitattributes`, text: ATTRIBUTES },
    { path: `${folder}/config.schema.json`, text: `${JSON.stringify(configJsonSchema(), null, 2)}\n` },
    { path: `${folder}/metrics/counters.json`, text: initialCounters(vocabulary) },
  ]
}

export function workspacesIgnore({ workspaces }: Vocabulary): ProjectFile {
  return {
    path: `${workspaces}/.gitignore`,
    text: `# Private checkouts of running agents: nothing here belongs to the repository.\n*\n`,
  }
}

/**
 * Every persona and case id prefix from the start: the next number is always one more than the stored one.
 */
function initialCounters(vocabulary: Vocabulary): string {
  const personas = PERSONAS.map((persona) => vocabulary.personas[persona].id)
  const prefixes = CASE_TYPES.map((type) => vocabulary.cases[type].prefix)
  const names = [...new Set([...personas, ...prefixes])]
  return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, 0])), null, 2)}\n`
}

/**
 * The journal only grows, and the newest revision of a case wins in any order: lines of two branches add up.
 */
const ATTRIBUTES = 'cases.jsonl merge=union\n'

function ignoreList({ files }: Vocabulary): string {
  return `# Configuration, rules, prompts, skills, specs and cases.jsonl can be committed.
# What follows is rewritten all the time, or means something on this machine only.
config.json.backup
config.json.broken-*
config.schema.json
cases.jsonl.*
leases.json
lock*
*.sock
*.tmp
blobs/
logs/
metrics/
integration.git/
unsound.git/
observers/
scratch/
private/
processes/
caches/
recordings/
specs/progress.json
agents/*/logs/
agents/*/metrics.json
agents/*/${files.discoveries}
`
}
