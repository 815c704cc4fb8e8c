import type { Occurrence } from './occurrence.ts'

const NAMED = /[([]\s*(?:default|recommended)\s*:\s*([^()[\]]+?)\s*[)\]]/i
const MARKED = /\s*[([]\s*(?:default|recommended)\s*[)\]]/i
const ANSWER_CHARACTERS_MAX = 200

/** The question in an agent's signal, without its body; undefined when it asks none. */
export function questionIn({ said }: Occurrence): string | undefined {
  if (said === null) return undefined
  if (said.name === 'PENDING') return said.payload ?? undefined
  return said.name === 'SEEKING_DIVINE_CLARIFICATION' ? (said.body?.question ?? undefined) : undefined
}

/**
 * The answer that the agent itself proposes, used if no person answers: `(default: x)` in its question, or an
 * option that it marks with `(default)`. A question without either has none, and waits.
 */
export function defaultAnswer(occurrence: Occurrence): string | null {
  const question = questionIn(occurrence)
  if (question === undefined) return null
  const { said } = occurrence
  const options = said?.name === 'SEEKING_DIVINE_CLARIFICATION' ? (said.body?.options ?? []) : []
  const marked = options.find(({ subject, detail }) => MARKED.test(subject) || MARKED.test(detail ?? ''))
  const answer = NAMED.exec(question)?.[1] ?? marked?.subject.replace(MARKED, '')
  return answer?.trim().slice(0, ANSWER_CHARACTERS_MAX) || null
}
