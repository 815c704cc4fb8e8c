import type { CaseCommand } from '../cases/command.ts'
import type { DeliveryContext } from './delivery-context.ts'
import type { DeliveryState } from './delivery-state.ts'
import type { Occurrence } from './occurrence.ts'
import type { NoteKind, ReviewFinding } from './review-contract.ts'
import { LIST_MAX, type Question, saidQuestion, TEXT_CHARACTERS_MAX } from './said-question.ts'

/** Drafts that one verdict may create; further findings share the last one. */
const DRAFTS_PER_VERDICT_MAX = 10

/** A reviewer's findings beyond the task: each becomes a draft to be planned. */
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

const REPAIR_OPTIONS = [
  { label: 'retry', tradeOff: 'ten more attempts, with your guidance' },
  { label: 'override', tradeOff: 'work goes on although the checks are red' },
  { label: 'halt', tradeOff: 'everything stops until you say otherwise' },
]

/** The question that is put before the person: a pending case that holds this one task. */
export function questionCommand(
  after: DeliveryState,
  occurrence: Occurrence,
  context: DeliveryContext,
): CaseCommand {
  const { task, fallback } = context
  const { question, ...rest } = questionOf(after, occurrence, context)
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

function questionOf(after: DeliveryState, occurrence: Occurrence, context: DeliveryContext): Question {
  const { id } = context.task
  if (after.state === 'repair-escalated') {
    const question = `${after.repairAttempts} attempts have not repaired what ${id} met. How shall it go on?`
    return { question, options: REPAIR_OPTIONS, ...told(REPAIR_NOTES, context) }
  }
  if (after.state === 'failed') return { ...told(FINDINGS, context), ...failureOf(after, occurrence, id) }
  if (occurrence.signal === 'CONFLICTED') return conflictOf(occurrence, id)
  if (occurrence.signal === 'PUSH_STUCK') return stuckOf(occurrence, id)
  return (
    saidQuestion(occurrence, id) ?? { question: causeOf(after, occurrence, id), ...told(FINDINGS, context) }
  )
}

const REPAIR_NOTES: readonly (NoteKind | undefined)[] = ['report', 'repair', 'lost']
const FINDINGS: readonly (NoteKind | undefined)[] = [undefined]

/** The newest of what led here: a person decides on what was found and tried, not on a count. */
function told(
  kinds: readonly (NoteKind | undefined)[],
  { findings }: DeliveryContext,
): Pick<Question, 'context'> {
  const notes = findings.filter(({ kind }) => kinds.includes(kind)).slice(-LIST_MAX)
  if (notes.length === 0) return {}
  return { context: notes.map(describeFinding).join('\n').slice(-TEXT_CHARACTERS_MAX) }
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

function causeOf({ ownTries, expertTries }: DeliveryState, occurrence: Occurrence, id: string): string {
  const tries = `${ownTries} own tries, ${expertTries} with experts`
  const words = occurrence.text ? `: ${occurrence.text}` : ''
  return `${id} needs a decision after ${occurrence.signal} by ${occurrence.agent} (${tries})${words}`
}
