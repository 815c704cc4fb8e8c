import { ROLES, type Role } from '../signals/definition.ts'
import { type BodyOf, readBody } from '../signals/read-body.ts'
import type { RegisteredExpert } from './escalation.ts'

/** An expert as its file describes it: which roles it serves, what it knows, when to ask it. */
export interface ExpertFile extends RegisteredExpert {
  /** The knowledge that the plan's agents lack. */
  readonly gap: string
  readonly expertise: readonly string[]
}

/** The file of an expert, which is also the body of the EXPERT_CREATED that announces it. */
export function formatExpert(expert: ExpertFile): string {
  const { name, gap, supports, tasks, expertise, triggers } = expert
  const list = (label: string, entries: readonly string[]) =>
    entries.length === 0 ? '' : [`${label}:`, ...entries.map((entry) => `- ${entry}`)].join('\n')
  const line = (label: string, text: string) => (text === '' ? '' : `${label}: ${text}`)
  return `${[
    `# ${name}`,
    line('Gap Filled', oneLine(gap)),
    line('Supports', supports.join(', ')),
    line('Tasks', tasks.join(', ')),
    list('Expertise Encoded', expertise.map(oneLine)),
    list('Delegation Triggers', triggers.map(triggerLine)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

/** Tolerant, because people edit the file: a missing part is empty. */
export function readExpertFile(name: string, text: string): ExpertFile {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('#'))
  const body = readBody(
    'EXPERT_CREATED',
    lines.map((line) => ({ kind: 'speech' as const, text: line })),
  ) as BodyOf<'EXPERT_CREATED'>
  return {
    name,
    gap: body.gap ?? '',
    supports: (body.supports ?? []).map((word) => word.trim().toLowerCase()).filter(isRole),
    tasks: body.tasks ?? [],
    expertise: body.expertise ?? [],
    triggers: body.triggers ?? [],
  }
}

function isRole(word: string): word is Role {
  return ROLES.some((role) => role === word)
}

function triggerLine({ role, when }: RegisteredExpert['triggers'][number]): string {
  return role === null ? oneLine(when) : `${role} should ask when: ${oneLine(when)}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
