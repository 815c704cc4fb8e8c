import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { fence, neutralise, oneLine, shorten } from './fence.ts'
import type { Assignment, Check, Dependency, Expert, Material } from './prompt-input.ts'

const NO_CHECKS =
  'None are configured. No machine will prove this work: say with each result how you know it.'

/** The part that describes the work. It does not change from one iteration to the next. */
export function assignmentText(
  vocabulary: Vocabulary,
  agent: string,
  assignment: Assignment,
  materialCharactersMax: number,
): string {
  const { id, author, content, criteria = [], operation, need, spec } = assignment
  const { nouns } = vocabulary
  return [
    `# Assignment ${oneLine(id)}`,
    `You are ${oneLine(agent)}.${assignment.order === undefined ? '' : ` ${assignment.order}`}`,
    list((assignment.place ?? []).map((fact) => `- ${neutralise(fact).replace(/\s+/g, ' ')}`)),
    content && `## The ${nouns.work}\n${fence(`${id}, written by ${author ?? 'a person'}`, content)}`,
    criteria.length > 0 && `## Acceptance criteria\n${fence(id, criteria.map(numbered).join('\n'))}`,
    operation && `## The ${nouns.operation} it belongs to\n${fence(operation.id, operation.content)}`,
    need && `## The need${content ? ' behind it' : ''}\n${fence(need.id, need.content)}`,
    spec && `## What the specification says\n${fence(spec.origin, spec.text)}`,
    headed(
      '## Files expected to change',
      (assignment.files ?? []).map((path) => `- \`${oneLine(path)}\``),
    ),
    headed('## What it builds on', (assignment.dependencies ?? []).map(dependencyLine)),
    assignment.checks && `## Checks\n${list(assignment.checks.map(checkLine)) || NO_CHECKS}`,
    headed('## Experts you may ask', (assignment.experts ?? []).map(expertLine)),
    ...(assignment.material ?? []).map((material) => materialText(material, materialCharactersMax)),
  ]
    .filter((section) => typeof section === 'string' && section !== '')
    .join('\n\n')
}

export function materialText({ title, origin, text }: Material, charactersMax: number): string {
  return `## ${oneLine(title)}\n${fence(origin, shorten(text, charactersMax))}`
}

function numbered(criterion: string, at: number): string {
  return `C${at + 1}. ${criterion.trim().replace(/\n/g, '\n    ')}`
}

function dependencyLine({ id, content, landed }: Dependency): string {
  const what = oneLine(content)
  if (!landed) return `- ${oneLine(id)}, not landed yet: ${what}`
  const files = landed.files.map((path) => `\`${oneLine(path)}\``).join(', ')
  const where = files === '' ? '' : ` in ${files}`
  return `- ${oneLine(id)}, landed as ${oneLine(landed.commit)}${where}: ${what}`
}

function checkLine({ name, command, required, environment }: Check): string {
  const where = environment === undefined ? '' : `, in ${oneLine(environment)}`
  const called = name === command ? '' : `${oneLine(name)}: `
  return `- ${called}\`${oneLine(command)}\` (${required ? 'required' : 'optional'}${where})`
}

function expertLine({ name, knows, askWhen }: Expert): string {
  return `- ${oneLine(name)}: ${oneLine(knows)} Ask when ${oneLine(askWhen)}`
}

function headed(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${heading}\n${list(lines)}`
}

function list(lines: readonly string[]): string {
  return lines.join('\n')
}
