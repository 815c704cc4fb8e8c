import type { CaseCommand } from '../cases/command.ts'
import type { DeliveryContext } from './delivery-context.ts'
import type { DeliveryState } from './delivery-state.ts'
import type { Occurrence } from './occurrence.ts'
import type { ReviewFinding } from './review-contract.ts'

/** Drafts that one verdict may raise; what is beyond shares the last one. */
const DRAFTS_PER_VERDICT_MAX = 10
const TEXT_CHARACTERS_MAX = 2_000
const LIST_MAX = 10

/** What a reviewer saw beyond the task: each becomes a draft, for somebody to plan. */
export function draftCommands(aside: readonly ReviewFinding[], context: DeliveryContext): CaseCommand[] {
  const alone = aside.length > DRAFTS_PER_VERDICT_MAX ? DRAFTS_PER_VERDICT_MAX - 1 : aside.length
  const groups = [...aside.slice(0, alone).map((finding) => [finding]), aside.slice(alone)]
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({
      kind: 'create',
      type: 'draft',
      parentId: context.draftParent,
      content: group.map(describeFinding).join('\n').slice(0, TEXT_CHARACTERS_MAX),
      metadata: { raisedBy: group[0]?.by ?? '', sourceTaskId: context.task.id },
    }))
}

function describeFinding({ file, line, text }: ReviewFinding): string {
  const place = file === null ? '' : line === null ? `${file}: ` : `${file}:${line}: `
  return `${place}${text.trim() === '' ? 'a finding without words' : text}`
}

interface Question {
  readonly question: string
  readonly context?: string
  readonly options?: readonly { readonly label: string; readonly tradeOff?: string }[]
  readonly attempts?: readonly string[]
}

const REPAIR_OPTIONS = [
  { label: 'retry', tradeOff: 'ten more attempts, with your guidance' },
  { label: 'override', tradeOff: 'work goes on although the checks are red' },
  { label: 'halt', tradeOff: 'everything stops until you say otherwise' },
]

/** The question that is put before the person: a pending case that holds this one task. */
export function questionCommand(
  after: DeliveryState,
  occurrence: Occurrence,
  { task, fallback }: DeliveryContext,
): CaseCommand {
  const { question, ...rest } = questionOf(after, occurrence, task.id)
  return {
    kind: 'create',
    type: 'pending',
    parentId: task.parentId,
    content: question.slice(0, TEXT_CHARACTERS_MAX),
    metadata: {
      ...rest,
      question: question.slice(0, TEXT_CHARACTERS_MAX),
      waitingTask: task.id,
      decision: null,
      raisedBy: occurrence.agent,
      ...(fallback === null ? {} : { fallback }),
      ...(after.wait === null ? {} : { deadline: after.wait.until }),
    },
  }
}

function questionOf(after: DeliveryState, occurrence: Occurrence, id: string): Question {
  if (after.state === 'repair-escalated') {
    const question = `${after.repairAttempts} attempts have not repaired what ${id} met. How shall it go on?`
    return { question, options: REPAIR_OPTIONS }
  }
  if (after.state === 'failed') return failureOf(after, occurrence, id)
  if (occurrence.signal === 'CONFLICTED') return conflictOf(occurrence, id)
  if (occurrence.signal === 'PUSH_STUCK') return stuckOf(occurrence, id)
  return saidQuestion(occurrence) ?? { question: causeOf(after, occurrence, id) }
}

function failureOf({ rounds }: DeliveryState, { signal, text }: Occurrence, id: string): Question {
  const counts = `${rounds.review} reviews, ${rounds.audit} audits, ${rounds.landing} landings refused it`
  return {
    question: `${id} failed after ${signal}: ${counts}. Retry it with guidance, change it, or defer it?`,
    options: [{ label: 'retry' }, { label: 'change' }, { label: 'defer' }],
    ...(text === null ? {} : { context: text.slice(0, TEXT_CHARACTERS_MAX) }),
  }
}

const CONFLICT_OPTIONS = [
  { label: 'resolved', tradeOff: 'you committed the merge in the workspace; it is checked, then landed' },
  { label: 'retry', tradeOff: 'merged again, and the resolver tries it; any other words of yours guide him' },
  { label: 'skip', tradeOff: 'its developer does it again on the target as it is now' },
  { label: 'defer', tradeOff: 'the task is put off; its commits are kept' },
]

function conflictOf({ text }: Occurrence, id: string): Question {
  return {
    question: `The work of ${id} conflicts with the target, and nobody has settled it. How shall it go on?`,
    options: CONFLICT_OPTIONS,
    ...(text === null ? {} : { context: text.slice(0, TEXT_CHARACTERS_MAX) }),
  }
}

const STUCK_OPTIONS = [
  { label: 'retry', tradeOff: 'it is checked on the target as it is now and pushed again' },
  { label: 'rework', tradeOff: 'its developer goes on with it; what you write is told to it' },
  { label: 'defer', tradeOff: 'the task is put off; its commits are kept' },
]

function stuckOf({ text }: Occurrence, id: string): Question {
  return {
    question: `The work of ${id} is verified, and the remote does not land it. How shall it go on?`,
    options: STUCK_OPTIONS,
    ...(text === null ? {} : { context: text.slice(0, TEXT_CHARACTERS_MAX) }),
  }
}

function saidQuestion({ said }: Occurrence): Question | undefined {
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
        ...(blocker ? { context: blocker } : {}),
        ...(attempted ? { attempts: [attempted] } : {}),
      }
    }
    case 'SEEKING_DIVINE_CLARIFICATION': {
      const { question, context, options = [], attempts = [] } = said.body ?? {}
      if (!question) return undefined
      const tried = attempts.map(({ subject, detail }) => `${subject}: ${detail ?? ''}`)
      return {
        question,
        ...(context ? { context: context.slice(0, TEXT_CHARACTERS_MAX) } : {}),
        options: options
          .slice(0, LIST_MAX)
          .map(({ subject, detail }) => ({ label: subject, ...(detail ? { tradeOff: detail } : {}) })),
        attempts: tried.slice(0, LIST_MAX),
      }
    }
    default:
      return undefined
  }
}

function causeOf({ ownTries, expertTries }: DeliveryState, occurrence: Occurrence, id: string): string {
  const tries = `${ownTries} own tries, ${expertTries} with experts`
  const words = occurrence.text ? `: ${occurrence.text}` : ''
  return `${id} needs a decision after ${occurrence.signal} by ${occurrence.agent} (${tries})${words}`
}
