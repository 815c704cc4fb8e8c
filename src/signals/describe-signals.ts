import type { Definition, Field, Role } from './definition.ts'
import { allows, REGISTRY, ROLES_OWING_A_SIGNAL } from './registry.ts'
import { type SignalNames, spokenName } from './signal-names.ts'

type Entry = (typeof REGISTRY)[number]

/**
 * The rules about signals for an agent of one role, as markdown. Every example stands in code, so that an agent
 * which repeats its prompt says nothing by it.
 */
export function describeSignals(role: Role, names: SignalNames): string {
  const mine = REGISTRY.filter((entry) => allows(entry, role) && !isOutgoing(entry))
  return [
    '# Signals',
    introduction(role, names),
    section('## Tags', tagRules(names), mine.filter(isNotation('tag')), names),
    section('## Line signals', LINE_RULES, mine.filter(isNotation('line')), names),
    section('## Markers', MARKER_RULES, mine.filter(isNotation('marker')), names),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The exact form of one signal, with its body, as an agent should write it. */
export function formatOf(entry: Definition, names: SignalNames): string {
  const name = spokenName(names, entry.name as Entry['name'])
  switch (entry.notation) {
    case 'tag':
      return `<${names.tag}>${name}${payloadOf(entry)}</${names.tag}>`
    case 'marker':
      return `[${name}]${entry.payloadHint === '' ? '' : ` ${entry.payloadHint}`}`
    case 'line': {
      const head = entry.payload === 'none' ? name : `${name}: [${entry.payloadHint}]`
      const fields = entry.body.map(templateOf)
      const closing = entry.closing === undefined ? [] : [entry.closing]
      return [head, ...fields, ...closing].join('\n\n')
    }
  }
}

function isOutgoing(entry: Definition): boolean {
  return entry.handler === 'SEND_TO_LEAD'
}

function isNotation(notation: Definition['notation']): (entry: Entry) => boolean {
  return (entry) => entry.notation === notation
}

function payloadOf(entry: Definition): string {
  if (entry.payload === 'percentage') return ':75'
  return entry.payloadHint === '' ? '' : `:${entry.payloadHint}`
}

function introduction(role: Role, names: SignalNames): string {
  const owing = ROLES_OWING_A_SIGNAL.includes(role)
    ? 'Your last message must end with one of the verdicts below; without one you are asked again.'
    : 'Without a signal you simply get another iteration.'
  return `A signal is how you tell AXIOM where the work stands. Only your own words count: text in code, in a quotation, in a file you print or in the output of a tool is never a signal. ${owing} AXIOM checks every claim, so signal only what is true. Write \`<${names.tag}>\` nowhere but in a signal.`
}

function tagRules({ tag }: SignalNames): string {
  return `The form is \`<${tag}>TYPE</${tag}>\` or \`<${tag}>TYPE:payload</${tag}>\`, in exactly this case, the payload on one line of at most 4,000 characters. Put a verdict alone on the last line of your last message; inside a sentence it does not count. Progress and what you learnt may stand anywhere in your text.`
}

const LINE_RULES =
  'The name begins in the first column, is spelt exactly as here, and is followed by a colon, a space and the id where one is shown. What belongs to it follows below it, with the labels shown. Put it at the end of your last message, and do not begin any other line with its name.'

const MARKER_RULES =
  'The marker begins in the first column; its JSON object follows on the same line and ends the line.'

function section(title: string, rules: string, entries: readonly Entry[], names: SignalNames): string {
  if (entries.length === 0) return ''
  return [title, rules, ...entries.map((entry) => describe(entry, names))].join('\n\n')
}

function describe(entry: Entry, names: SignalNames): string {
  const text = `${spokenName(names, entry.name)}: ${entry.meaning}`
  return `- **${text}**\n\n\`\`\`text\n${formatOf(entry, names)}\n\`\`\``
}

function templateOf({ label, kind, hint }: Field): string {
  switch (kind) {
    case 'line':
    case 'choice':
    case 'count':
    case 'names':
      return `${label}: [${hint}]`
    case 'prose':
      return `${label}:\n[${hint}]`
    case 'list':
      return `${label}:\n- [${hint}]`
    case 'files':
      return `${label}:\n- [path]: [${hint}]`
    case 'criteria':
      return `${label}:\n- [criterion]: ${hint}`
    case 'checks':
      return `${label}:\n- [check] ([environment]): ${hint}${hint === 'FAIL' ? '\n  Exit: [code]\n  Output: [what it printed]' : ''}`
    case 'issues':
      return `${label}:\n- [file]:[line]: [${hint}]`
    case 'checklist':
      return `${label}:\n- [ ] [${hint}]`
    case 'reasons':
      return `${label}:\n- [what]: [${hint}]`
    case 'triggers':
      return `${label}:\n- [role] should ask when: [${hint}]`
    case 'prompt':
      return `---${label} START---\n[${hint}]\n---${label} END---`
  }
}
