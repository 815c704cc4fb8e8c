import { createHash } from 'node:crypto'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { DEFAULT_SKILLS } from './default-skills.ts'
import { identityOf } from './identities.ts'
import { writePromptFile, writeRulesFile } from './persona-files.ts'
import { AGENTS, type Agent, agentFolder, rolesOfAgent } from './roles.ts'
import { sharedRules } from './shared-rules.ts'
import { unifiedDiff } from './unified-diff.ts'
import { wordsOf } from './words.ts'

/** Digests of the defaults as last written, by path: they tell a person's edit from an old default. */
export type Manifest = Readonly<Record<string, string>>

interface ScaffoldFile {
  readonly path: string
  readonly text: string
  /** A view is written once and then belongs to the stage that updates it. */
  readonly kind: 'text' | 'skill' | 'view'
}

export interface PlannedWrite {
  readonly path: string
  readonly text: string
  readonly reason: 'new' | 'restored' | 'updated'
  /** From the current text to the new one; empty for a new file. */
  readonly diff: string
}

export interface KeptFile {
  readonly path: string
  readonly reason: 'edited' | 'removed'
  /** From the default to the person's version. */
  readonly diff: string
}

export interface DifferingFile {
  readonly path: string
  /** From the person's version to the new default, to be merged by hand. */
  readonly diff: string
}

export interface ScaffoldPlan {
  readonly folders: readonly string[]
  readonly write: readonly PlannedWrite[]
  /** Changed by a person; the default has not changed since. */
  readonly keep: readonly KeptFile[]
  /** Changed by a person, and the default has changed as well (or the earlier default is unknown). */
  readonly differ: readonly DifferingFile[]
}

export function manifestPath(vocabulary: Vocabulary): string {
  return `${vocabulary.folder}/agents/.defaults.json`
}

/** Every file that a plan may look at; the caller reads those that exist. */
export function scaffoldPaths(vocabulary: Vocabulary): string[] {
  return [...scaffoldFiles(vocabulary).map(({ path }) => path), manifestPath(vocabulary)]
}

/** An unreadable manifest counts as none: then every file that differs counts as a person's. */
export function parseManifest(text: string | undefined): Manifest {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/**
 * Decides what a first or later `init` does with the files of agents and rules. A person's text is never
 * overwritten.
 */
export function planScaffold(
  vocabulary: Vocabulary,
  existing: ReadonlyMap<string, string>,
  manifest: Manifest = parseManifest(existing.get(manifestPath(vocabulary))),
): ScaffoldPlan {
  const write: PlannedWrite[] = []
  const keep: KeptFile[] = []
  const differ: DifferingFile[] = []
  const digests: Record<string, string> = {}
  for (const file of scaffoldFiles(vocabulary)) {
    const { path, text } = file
    const found = existing.get(path)?.replaceAll('\r\n', '\n')
    const recorded = manifest[path]
    if (file.kind === 'view') {
      if (found === undefined) write.push({ path, text, reason: 'new', diff: '' })
      continue
    }
    const wasOurs = found !== undefined && digest(found) === recorded
    digests[path] = recorded ?? digest(text)
    if (found === undefined && recorded !== undefined && file.kind === 'skill') {
      keep.push({ path, reason: 'removed', diff: '' })
    } else if (found === undefined) {
      digests[path] = digest(text)
      write.push({ path, text, reason: recorded === undefined ? 'new' : 'restored', diff: '' })
    } else if (found === text) {
      digests[path] = digest(text)
    } else if (wasOurs) {
      digests[path] = digest(text)
      write.push({ path, text, reason: 'updated', diff: unifiedDiff(path, found, text) })
    } else if (recorded === digest(text)) {
      keep.push({ path, reason: 'edited', diff: unifiedDiff(path, text, found) })
    } else {
      differ.push({ path, diff: unifiedDiff(path, found, text) })
    }
  }
  const record = `${JSON.stringify(digests, undefined, 2)}\n`
  const recordPath = manifestPath(vocabulary)
  if (existing.get(recordPath) !== record) {
    const reason = existing.has(recordPath) ? 'updated' : 'new'
    write.push({ path: recordPath, text: record, reason, diff: '' })
  }
  return { folders: scaffoldFolders(vocabulary), write, keep, differ }
}

function scaffoldFolders(vocabulary: Vocabulary): string[] {
  return AGENTS.flatMap((agent) => {
    const folder = `${vocabulary.folder}/agents/${agentFolder(vocabulary, agent)}`
    return [`${folder}/skills`, `${folder}/logs`]
  })
}

function scaffoldFiles(vocabulary: Vocabulary): ScaffoldFile[] {
  const rules = sharedRules(vocabulary).map(({ file, text }) => ({
    path: `${vocabulary.folder}/rules/${file}`,
    text,
    kind: 'text' as const,
  }))
  return [...rules, ...AGENTS.flatMap((agent) => agentFiles(vocabulary, agent))]
}

function agentFiles(vocabulary: Vocabulary, agent: Agent): ScaffoldFile[] {
  const { id, name } = identityOf(vocabulary, agent)
  const folder = `${vocabulary.folder}/agents/${id}`
  const words = wordsOf(vocabulary, rolesOfAgent(agent))
  const view = capitalised(vocabulary.nouns.discoveries)
  return [
    { path: `${folder}/prompt.md`, text: writePromptFile(vocabulary, agent), kind: 'text' },
    { path: `${folder}/rules.md`, text: writeRulesFile(vocabulary, agent), kind: 'text' },
    ...DEFAULT_SKILLS.filter((skill) => skill.agent === agent).map((skill) => ({
      path: `${folder}/skills/${skill.file}`,
      text: skill.write(words),
      kind: 'skill' as const,
    })),
    { path: `${folder}/${vocabulary.files.discoveries}`, text: `# ${name}'s ${view}\n`, kind: 'view' },
    { path: `${folder}/metrics.json`, text: emptyMetrics(vocabulary, id), kind: 'view' },
  ]
}

function emptyMetrics(vocabulary: Vocabulary, persona: string): string {
  const { work, averagePerWork, maximumPerWork } = vocabulary.records
  const metrics = {
    persona,
    updated: null,
    [work]: { completed: 0, failed: 0, successRate: 0 },
    iterations: { total: 0, [averagePerWork]: 0, [maximumPerWork]: 0 },
    timing: { avgDurationMs: 0, totalRuntimeMs: 0 },
    tokens: { input: 0, output: 0, estimatedCost: 0 },
  }
  return `${JSON.stringify(metrics, undefined, 2)}\n`
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
