import { expandedCriteria } from './holds-condition.ts'
import type { Occurrence } from './occurrence.ts'

export const TEXT_CHARACTERS_MAX = 2_000
export const LIST_MAX = 10

/** A question to a person, with the context needed to answer it. */
export interface Question {
  readonly question: string
  readonly context?: string
  readonly options?: readonly { readonly label: string; readonly tradeOff?: string }[]
  readonly attempts?: readonly string[]
}

/** The question in an agent's signal; undefined when it contains none. */
export function saidQuestion(occurrence: Occurrence, id: string): Question | undefined {
  const { said } = occurrence
  if (said === null) return undefined
  switch (said.name) {
    case 'PENDING':
    case 'BLOCKED':
      return said.payload ? { question: said.payload } : undefined
    case 'TASK_INCOMPLETE': {
      const { blocker, attempted, needed } = said.body ?? {}
      if (!needed && !blocker) return undefined
      return {
        question: needed ?? blocker ?? '',
        ...contextOf(blocker),
        ...(attempted ? { attempts: [attempted] } : {}),
      }
    }
    case 'SEEKING_DIVINE_CLARIFICATION': {
      const { question, context, options = [], attempts = [] } = said.body ?? {}
      if (!question) return undefined
      return {
        question,
        ...contextOf(context),
        options: options
          .slice(0, LIST_MAX)
          .map(({ subject, detail }) => ({ label: subject, ...(detail ? { tradeOff: detail } : {}) })),
        attempts: triesOf(attempts),
      }
    }
    case 'EXPANDED_TASK_SPECIFICATION': {
      const criteria = expandedCriteria(occurrence).map((criterion) => `- ${criterion}`)
      const proposed = [said.body?.specification ?? '', ...criteria].filter((line) => line !== '').join('\n')
      if (proposed === '') return undefined
      return { question: `What is meant by ${id}? The analyst is not sure of this.`, ...contextOf(proposed) }
    }
    case 'EXPERT_REQUEST':
      return said.body?.prompt ? { question: said.body.prompt } : undefined
    case 'EXPERT_UNSUCCESSFUL': {
      const { question, reason, attempts = [] } = said.body ?? {}
      return question ? { question, ...contextOf(reason), attempts: triesOf(attempts) } : undefined
    }
    default:
      return undefined
  }
}

function contextOf(text: string | null | undefined): Pick<Question, 'context'> {
  return text ? { context: text.slice(0, TEXT_CHARACTERS_MAX) } : {}
}

function triesOf(
  attempts: readonly { readonly subject: string; readonly detail: string | null }[],
): string[] {
  return attempts.slice(0, LIST_MAX).map(({ subject, detail }) => `${subject}: ${detail ?? ''}`)
}
