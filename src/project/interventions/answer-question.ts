import type { Actor, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { type DeliveryStateName, readDelivery } from '../../delivery/delivery-state.ts'
import { allowsPerson } from '../../delivery/delivery-table.ts'
import type { DeliveryEvent } from '../../delivery/occurrence.ts'
import { isOpenQuestion } from '../../events/inbox.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { applyEvent } from '../delivery/apply-event.ts'
import type { EventContext } from '../delivery/event-context.ts'
import { personEvent } from '../delivery/make-event.ts'
import { optionIn, optionNames, projectQuestionOf } from '../questions/project-question.ts'
import { rememberAnswer } from '../questions/standing-answers.ts'

export interface Answered {
  readonly kind: 'answered'
  readonly question: CaseId
  readonly answer: string
  /** The task that continues; null for a question that blocked none. */
  readonly task: CaseId | null
  /** The delivery state of the task now. */
  readonly state: string | null
}

export interface Unanswered {
  readonly kind: 'refused'
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface AnswerRequest {
  /** A question, or the task that waits for one. */
  readonly id: CaseId
  /** The answer, or the number of an option. */
  readonly text: string
  readonly by: Actor
  /** Answers the same question from now on. */
  readonly stands?: boolean
}

const LOOK = '"axiom inbox" shows what waits for an answer'

/** Passes a person's answer to the task or question that waits for it; no running director is needed. */
export async function answerQuestion(
  store: Store,
  world: EventContext,
  request: AnswerRequest,
): Promise<Answered | Unanswered> {
  const question = await findQuestion(store, request.id)
  if (question === undefined)
    return refuse('NOTHING_TO_ANSWER', `${request.id} is no open question and waits for none`, LOOK)
  const answer = chosen(question, request.text)
  const matter = projectQuestionOf(question)
  if (matter && optionIn(matter.kind, answer) === undefined) {
    const hint = `answer one of: ${optionNames(matter.kind)}`
    return refuse('ANSWER_REFUSED', `${question.id} does not offer this answer`, hint)
  }
  const { waitingTask } = question.metadata
  const held = typeof waitingTask === 'string' ? waitingTask : undefined
  const outcome =
    held === undefined
      ? await close(store, question, answer, request.by)
      : await speak(store, world, { question, task: held, answer, by: request.by })
  if (outcome.kind === 'answered' && request.stands)
    await rememberAnswer(store, request.by, textOf(question), answer)
  return outcome
}

function textOf({ content, metadata }: CaseRecord): string {
  return typeof metadata.question === 'string' ? metadata.question : content
}

async function findQuestion(store: Store, id: CaseId): Promise<CaseRecord | undefined> {
  const [subject] = await store.query({ ids: [id] })
  if (subject?.type === 'pending') return isOpenQuestion(subject) ? subject : undefined
  const questions = await store.query({ type: 'pending' })
  return questions.filter(isOpenQuestion).find(({ metadata }) => metadata.waitingTask === id)
}

/** A number stands for the option at that place. */
function chosen({ metadata }: CaseRecord, text: string): string {
  const options = Array.isArray(metadata.options) ? (metadata.options as { label?: unknown }[]) : []
  const label = /^\d{1,2}$/.test(text.trim()) ? options[Number(text) - 1]?.label : undefined
  return typeof label === 'string' ? label : text.trim()
}

interface Given {
  readonly question: CaseRecord
  readonly task: CaseId
  readonly answer: string
  readonly by: Actor
}

async function speak(store: Store, world: EventContext, given: Given): Promise<Answered | Unanswered> {
  const { question, task: id, answer, by } = given
  const [task] = await store.query({ ids: [id] })
  const read = task && readDelivery(task)
  const state = read?.kind === 'read' ? read.delivery.state : undefined
  const word = wordFor(state, answer)
  if (!task || word === undefined) return close(store, question, answer, by)
  if (word === 'defer') return defer(store, given)
  // Includes the revision of the task: a halted repair keeps its question, which can be answered once more.
  const moment = `answer/${question.uid}/${question.rev}/${task.rev}`
  const occurrence = personEvent(id, word, { id: moment, by, text: answer })
  const moved = await applyEvent(store, world, { about: id, occurrence })
  if (moved.kind === 'moved')
    return { kind: 'answered', question: question.id, answer, task: id, state: moved.delivery.state }
  const why = moved.kind === 'refused' ? moved.message : 'its claim was lost meanwhile'
  return refuse('ANSWER_REFUSED', `the answer to ${question.id} was not taken: ${why}`, LOOK)
}

/** The event that the answer means in this state; undefined when the task no longer waits for it. */
function wordFor(state: DeliveryStateName | undefined, answer: string): DeliveryEvent | 'defer' | undefined {
  const [first = ''] = answer.toLowerCase().split(/\W+/, 1)
  if (state === undefined) return undefined
  if (allowsPerson(state, 'ANSWERED')) return 'ANSWERED'
  // A halted repair can be answered once more, as long as its question is open.
  if (allowsPerson(state, 'OVERRIDE'))
    return first === 'override' ? 'OVERRIDE' : first === 'halt' ? 'HALT' : 'RETRY'
  if (allowsPerson(state, 'RETRY')) return first === 'defer' ? 'defer' : 'RETRY'
  return undefined
}

/** No task waits for it any more: the answer is kept, and the question is done. */
async function close(
  store: Store,
  question: CaseRecord,
  answer: string,
  by: Actor,
): Promise<Answered | Unanswered> {
  return commit(store, by, closing(question, answer), {
    kind: 'answered',
    question: question.id,
    answer,
    task: null,
    state: null,
  })
}

async function defer(store: Store, { question, task, answer, by }: Given): Promise<Answered | Unanswered> {
  const commands: CaseCommand[] = [
    { kind: 'transition', id: task, type: 'deferred', reason: `${question.id}: ${answer}` },
    ...closing(question, answer),
  ]
  return commit(store, by, commands, {
    kind: 'answered',
    question: question.id,
    answer,
    task,
    state: 'deferred',
  })
}

function closing({ id, status }: CaseRecord, answer: string): CaseCommand[] {
  return [
    { kind: 'update', id, metadata: { decision: answer }, reason: 'answered' },
    ...(status === 'blocked' ? [{ kind: 'move', id, status: 'pending', reason: 'answered' } as const] : []),
    { kind: 'complete', id, result: answer },
  ]
}

async function commit(
  store: Store,
  by: Actor,
  commands: readonly CaseCommand[],
  answered: Answered,
): Promise<Answered | Unanswered> {
  const outcome = await store.transact({ commands, by })
  if (outcome.kind === 'committed') return answered
  return outcome.kind === 'refused'
    ? refuse(outcome.code, outcome.message, outcome.hint)
    : refuse('STORE_BUSY', 'someone else was quicker', 'try again')
}

function refuse(code: string, message: string, hint: string): Unanswered {
  return { kind: 'refused', code, message, hint }
}
