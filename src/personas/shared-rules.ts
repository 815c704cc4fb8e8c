import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { ROLES } from './roles.ts'
import { writeCommitFormat } from './texts/commit-format.ts'
import { writeCompletionProtocol } from './texts/completion-protocol.ts'
import { categoriesHeading, writeDiscoveryFormat } from './texts/discovery-format.ts'
import { writeSignalTypes } from './texts/signal-types.ts'
import { wordsOf } from './words.ts'

/** One of the four files that all agents share, and how much of it a project may change. */
export interface SharedRule {
  readonly file: string
  readonly text: string
  /** The section whose list a project may extend; without one the whole file is fixed. */
  readonly extensible?: string
}

/** In their order in a prompt. */
export function sharedRules(vocabulary: Vocabulary): SharedRule[] {
  const words = wordsOf(vocabulary, ROLES)
  const { rules } = vocabulary.files
  return [
    { file: rules.signals, text: writeSignalTypes(words) },
    {
      file: rules.discoveries,
      text: writeDiscoveryFormat(words),
      extensible: categoriesHeading(words.personas),
    },
    { file: rules.commits, text: writeCommitFormat(words), extensible: 'Types' },
    { file: rules.completion, text: writeCompletionProtocol(words), extensible: 'Verification' },
  ]
}

export interface EffectiveRule {
  readonly text: string
  /** List entries that the project added. */
  readonly added: readonly string[]
  /** True when the file also changes something that is fixed, which has no effect. */
  readonly ignored: boolean
}

/** The effective rule when a project's own copy is merged with AXIOM's: the fixed part always holds. */
export function effectiveRule(rule: SharedRule, own: string | undefined): EffectiveRule {
  if (own === undefined || sameWords(own, rule.text)) return { text: rule.text, added: [], ignored: false }
  const added = rule.extensible === undefined ? [] : addedEntries(rule.text, own, rule.extensible)
  const text = rule.extensible === undefined ? rule.text : insertEntries(rule.text, rule.extensible, added)
  return { text, added, ignored: !sameWords(own, text) }
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  return plain(a) === plain(b)
}

function addedEntries(ours: string, own: string, heading: string): string[] {
  const known = new Set(entriesOf(ours, heading))
  return [...new Set(entriesOf(own, heading))].filter((entry) => !known.has(entry))
}

function entriesOf(text: string, heading: string): string[] {
  const lines = text.split(/\r?\n/)
  const start = lines.indexOf(`## ${heading}`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#{1,2} /.test(line))
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter((line) => /^[-*] \S/.test(line))
    .map((line) => `- ${line.slice(2).trim()}`)
}

function insertEntries(text: string, heading: string, added: readonly string[]): string {
  const last = entriesOf(text, heading).at(-1)
  if (added.length === 0 || last === undefined) return text
  const section = text.indexOf(`## ${heading}\n`)
  const at = text.indexOf(`${last}\n`, section) + last.length
  return `${text.slice(0, at)}\n${added.join('\n')}${text.slice(at)}`
}
