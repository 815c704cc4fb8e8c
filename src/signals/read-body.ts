import { type FieldValues, plain, READ_ENTRY } from './body-values.ts'
import { markHidden } from './clean-text.ts'
import type { Field } from './definition.ts'
import type { MemberIdentity, TeamStatus } from './read-marker.ts'
import { definitionOf, type REGISTRY, type SignalName } from './registry.ts'
import type { AsideKind } from './speech-scanner.ts'

type Entry<Name extends SignalName> = Extract<(typeof REGISTRY)[number], { name: Name }>

type Fields<Body extends readonly Field[]> = { [F in Body[number] as F['key']]?: FieldValues[F['kind']] } & {
  /** What stood in the body outside of any field. */
  notes?: string
}

/** The typed form of what follows a signal: the fields of a line signal, or the JSON of a marker. */
export type BodyOf<Name extends SignalName> = Name extends 'AGENT_STATUS'
  ? TeamStatus
  : Name extends 'AGENT_REGISTERED'
    ? MemberIdentity
    : Entry<Name>['notation'] extends 'line'
      ? Fields<Entry<Name>['body']>
      : never

export interface BodyLine {
  readonly kind: 'speech' | AsideKind
  readonly text: string
}

interface Section {
  readonly field: Field
  /** What stood on the line of the label itself. */
  readonly inline: string
  readonly lines: BodyLine[]
}

const LABEL_CHARACTERS_MAX = 80
const PLAIN_LABEL = /^[A-Za-z][A-Za-z -]{0,78}$/
const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/s
const NONE = /^(?:none|n\/a|nothing|-)\.?$/i
/** Regular expressions see entries up to here; a longer one is an essay, not an entry. */
const ENTRY_CHARACTERS_MAX = 4_000

/** Reads the lines below a line signal into its fields. Tolerant: what fits no field becomes a note. */
export function readBody(name: SignalName, lines: readonly BodyLine[]): Record<string, unknown> {
  const fields = definitionOf(name)?.body ?? []
  const { sections, notes } = splitSections(fields, lines)
  const body: Record<string, unknown> = {}
  for (const section of sections) {
    const value = readField(section, notes)
    if (value === undefined) continue
    const { key } = section.field
    const before = body[key]
    // A list that is begun again goes on; of everything else the first counts.
    if (before === undefined) body[key] = value
    else if (Array.isArray(before) && Array.isArray(value)) body[key] = [...before, ...value]
  }
  const rest = notes.join('\n').trim()
  if (rest !== '') body.notes = markHidden(rest)
  return body
}

/** The lines around a prompt for an expert; what lies between them is addressed to somebody else. */
export function promptEdges(name: SignalName): { start: string; end: string } | null {
  const field = definitionOf(name)?.body.find(({ kind }) => kind === 'prompt')
  return field === undefined ? null : { start: `---${field.label} START---`, end: `---${field.label} END---` }
}

function splitSections(fields: readonly Field[], lines: readonly BodyLine[]) {
  const sections: Section[] = []
  const notes: string[] = []
  const prompt = fields.find(({ kind }) => kind === 'prompt')
  let current: Section | null = null
  let isPrompt = false
  for (const line of lines) {
    const edge = prompt === undefined || line.kind === 'code' ? null : promptEdge(prompt, line.text)
    if (prompt !== undefined && edge !== null) {
      isPrompt = edge === 'start'
      current = isPrompt ? { field: prompt, inline: '', lines: [] } : null
      if (current !== null) sections.push(current)
      continue
    }
    const label = isPrompt || line.kind !== 'speech' ? null : findLabel(fields, line.text)
    if (label !== null) {
      current = { field: label.field, inline: label.inline, lines: [] }
      sections.push(current)
    } else if (current === null) notes.push(line.text)
    else current.lines.push(line)
  }
  return { sections, notes }
}

function promptEdge({ label }: Field, text: string): 'start' | 'end' | null {
  const line = text.trim()
  if (line === `---${label} START---`) return 'start'
  return line === `---${label} END---` ? 'end' : null
}

/** `Label:` or `**Label** (remark): value` or `### Label`, at most three blanks in. */
function findLabel(fields: readonly Field[], line: string): { field: Field; inline: string } | null {
  if (line.startsWith('- ') || line.startsWith('    ') || line.startsWith('\t')) return null
  const trimmed = line.trim()
  const text = trimmed.startsWith('#') ? trimmed.replace(/^#{1,6}\s+/, '') : trimmed
  const isMarked = text.startsWith('**') || text.startsWith('__') || text !== trimmed
  const found = text.indexOf(':')
  const colon = found < LABEL_CHARACTERS_MAX ? found : -1
  if (colon === -1 && !isMarked) return null
  const label = bareLabel(colon === -1 ? text : text.slice(0, colon))
  const field = fields.find(
    ({ label: own, aliases = [], kind }) =>
      kind !== 'prompt' && [own, ...aliases].some((name) => name.toLowerCase() === label),
  )
  if (field === undefined) return null
  const inline = colon === -1 ? '' : text.slice(colon + 1).trim()
  return { field, inline: /^(?:\*\*|__)/.test(inline) && isMarked ? inline.slice(2).trim() : inline }
}

function bareLabel(text: string): string {
  if (PLAIN_LABEL.test(text)) return text.toLowerCase()
  return text
    .slice(0, LABEL_CHARACTERS_MAX)
    .replaceAll(/[*_]/g, '')
    .replace(/\s*\([^()]*\)\s*$/, '')
    .trim()
    .toLowerCase()
}

function readField({ field, inline, lines }: Section, notes: string[]): unknown {
  switch (field.kind) {
    case 'line':
      return textOf(inline, takeText(inline, lines, notes))
    case 'prose':
      return textOf(inline, lines)
    case 'prompt':
      return lines
        .map(({ text }) => markHidden(text))
        .join('\n')
        .trim()
    case 'choice':
      return readChoice(field, textOf(inline, takeText(inline, lines, notes)) ?? '')
    case 'count':
      return readCount(inline, takeEntries(lines, notes))
    case 'names': {
      const entries = takeEntries(lines, notes)
      return [...inline.split(/,| and /), ...entries]
        .map((entry) => markHidden(plain(entry)))
        .filter((name) => name !== '')
    }
    default: {
      const read: (entry: string) => unknown = READ_ENTRY[field.kind]
      const entries = [...(inline === '' || NONE.test(inline) ? [] : [inline]), ...takeEntries(lines, notes)]
      return entries.map((entry) => read(markHidden(entry.slice(0, ENTRY_CHARACTERS_MAX))))
    }
  }
}

function readChoice(field: Field, text: string): string | undefined {
  const word = /[A-Za-z]+/.exec(text)?.[0]?.toLowerCase()
  return field.choices?.find((choice) => choice.toLowerCase() === word)
}

function readCount(inline: string, entries: readonly string[]): number | undefined {
  const digits = /\d{1,9}/.exec(inline)?.[0]
  if (digits !== undefined) return Number(digits)
  return entries.length > 0 ? entries.length : undefined
}

/** A one-line field goes on to the next blank line; what comes after that is a note. */
function takeText(inline: string, lines: readonly BodyLine[], notes: string[]): BodyLine[] {
  const first = lines.findIndex(({ kind }) => kind !== 'blank')
  const from = inline === '' ? Math.max(first, 0) : 0
  const blank = lines.findIndex(({ kind }, i) => i >= from && kind === 'blank')
  if (blank === -1) return lines.slice(from)
  notes.push(...lines.slice(blank).map(({ text }) => text))
  return lines.slice(from, blank)
}

function textOf(inline: string, lines: readonly BodyLine[]): string | undefined {
  const text = [inline, ...lines.filter(({ kind }) => kind !== 'fence').map(({ text }) => text)]
    .join('\n')
    .trim()
  return text === '' ? undefined : markHidden(text)
}

/** Entries of a list with what is indented below them. Without bullets each line is one. */
function takeEntries(lines: readonly BodyLine[], notes: string[]): string[] {
  const entries: string[] = []
  const first = lines.find(({ kind, text }) => kind === 'speech' && BULLET.test(text))
  const indent = first === undefined ? 0 : (BULLET.exec(first.text)?.[1]?.length ?? 0)
  let isOpen = true
  let afterBlank = false
  for (const { kind, text } of lines) {
    if (kind === 'fence') continue
    if (kind === 'blank') {
      afterBlank = entries.length > 0
      continue
    }
    const bullet = kind === 'speech' ? BULLET.exec(text) : null
    const isTop = bullet !== null && (bullet[1]?.length ?? 0) <= indent + 1
    const isIndented = kind === 'code' || /^\s/.test(text)
    if (isTop) isOpen = true
    else if (afterBlank && !isIndented) isOpen = false
    afterBlank = false
    if (!isOpen) notes.push(text)
    else if (isTop) entries.push(bullet[2] ?? '')
    else if (first === undefined && kind === 'speech') entries.push(text.trim())
    else if (entries.length > 0) entries.push(`${entries.pop()}\n${text.trimEnd()}`)
    else notes.push(text)
  }
  return entries
}
