import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { identityOf } from './identities.ts'
import { type Agent, ROLES, type Role, rolesOfAgent } from './roles.ts'
import { writeAsh } from './texts/ash.ts'
import { writeAuditor } from './texts/auditor.ts'
import { writeAva } from './texts/ava.ts'
import { writeAxel } from './texts/axel.ts'
import { writeCleo } from './texts/cleo.ts'
import { writeCritic } from './texts/critic.ts'
import { writeDex } from './texts/dex.ts'
import { writeEcho } from './texts/echo.ts'
import { writeExpert } from './texts/expert.ts'
import { writeMax } from './texts/max.ts'
import type { PersonaTexts, WritePersona } from './texts/persona-texts.ts'
import { writeRemediator } from './texts/remediator.ts'
import { writeRex } from './texts/rex.ts'
import { wordsOf } from './words.ts'

const WRITERS: Readonly<Record<Agent, WritePersona>> = {
  ava: writeAva,
  axel: writeAxel,
  echo: writeEcho,
  rex: writeRex,
  cleo: writeCleo,
  dex: writeDex,
  max: writeMax,
  ash: writeAsh,
  critic: writeCritic,
  auditor: writeAuditor,
  remediator: writeRemediator,
  experts: writeExpert,
}

/** The default `prompt.md` of an agent. */
export function writePromptFile(vocabulary: Vocabulary, agent: Agent): string {
  const texts = WRITERS[agent](wordsOf(vocabulary, rolesOfAgent(agent)))
  const { fullName, introduced, id } = identityOf(vocabulary, agent)
  return document(`${fullName} - System Prompt`, [
    ['Identity', `You are ${introduced} in the ${vocabulary.product} team.\n${texts.identity}`],
    ['Responsibilities', bullets(texts.responsibilities)],
    ...roleSections(agent, texts, 'duties'),
    ['Communication Style', texts.style],
    ['Rules Reference', `See: ${vocabulary.folder}/agents/${id}/rules.md`],
  ])
}

/** The default `rules.md` of an agent. */
export function writeRulesFile(vocabulary: Vocabulary, agent: Agent): string {
  const texts = WRITERS[agent](wordsOf(vocabulary, rolesOfAgent(agent)))
  return document(`${identityOf(vocabulary, agent).fullName} - Rules`, [
    ['Must Do', bullets(texts.must)],
    ['Must Not Do', bullets(texts.mustNot)],
    ...roleSections(agent, texts, 'rules'),
    [vocabulary.headings.standards, bullets(texts.standards)],
  ])
}

type Section = readonly [heading: string, body: string]

function roleSections(agent: Agent, texts: PersonaTexts, field: 'duties' | 'rules'): Section[] {
  return rolesOfAgent(agent).flatMap((role) => {
    const written = texts.roles?.[role]?.[field]
    return written ? [[roleHeading(role), bullets(written)] as const] : []
  })
}

function document(title: string, sections: readonly Section[]): string {
  return `# ${title}\n${sections.map(([heading, body]) => `\n## ${heading}\n${body}\n`).join('')}`
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function roleHeading(role: Role): string {
  const words = role.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `As ${words.join(' ')}`
}

/** Leaves out the sections (`## As Planner`) that belong to a role other than the one being played. */
export function keepRole(text: string, role: Role): string {
  const foreign = new Set(ROLES.filter((other) => other !== role).map((other) => `## ${roleHeading(other)}`))
  let kept = true
  const lines = text.split('\n').filter((line) => {
    if (line.startsWith('## ')) kept = !foreign.has(line.trimEnd())
    return kept
  })
  return lines.join('\n')
}
