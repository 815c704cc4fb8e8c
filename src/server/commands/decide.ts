import type { CaseId } from '../../cases/case.ts'
import { standingOf } from '../../events/task-standing.ts'
import type { PersonEventContext } from '../../project/delivery/event-context.ts'
import { answerQuestion } from '../../project/interventions/answer-question.ts'
import { giveOrder, makeOrder } from '../../project/interventions/give-order.ts'
import { overrideCase } from '../../project/interventions/override-case.ts'
import { retryTask } from '../../project/interventions/retry-task.ts'
import { type ReviewRequest, reviewTask } from '../../project/interventions/review-task.ts'
import type { Store } from '../../store/store.ts'
import { noteOf } from '../command-line.ts'
import type { CommandAnswer, LineComment } from '../contract.ts'
import type { SoundCommand } from './command-schema.ts'
import { told } from './steer.ts'

type Deciding = Extract<
  SoundCommand,
  { kind: 'answer' | 'review' | 'retry' | 'override' | 'halt' | 'comment' }
>

/** The context of a decision. */
export interface Scene {
  readonly store: Store
  readonly world: PersonEventContext
  readonly projectFolder: string
  readonly by: string
}

/** Settles an entry of the inbox, or undoes the end of a task. */
export async function decide(scene: Scene, command: Deciding): Promise<CommandAnswer> {
  const { store, world, by } = scene
  switch (command.kind) {
    case 'answer': {
      const { case: id, text, stands = false } = command
      return told(await answerQuestion(store, world, { id, text, by, stands }), `${id} is answered.`, id)
    }
    case 'halt': {
      const { task } = command
      const outcome = await answerQuestion(store, world, { id: task, text: 'halt', by })
      return told(outcome, 'The project is halted.', task)
    }
    case 'review':
      return review(scene, command)
    case 'retry': {
      const { task, guidance } = command
      return told(await retryTask(store, world, by, task, guidance), `${task} is tried again.`, task)
    }
    case 'override': {
      const { case: id, reason } = command
      return told(await overrideCase(store, world, by, id, reason), `${id} goes on.`, id)
    }
    case 'comment':
      return comment(scene, command)
  }
}

async function review(
  { store, world, projectFolder, by }: Scene,
  command: Extract<Deciding, { kind: 'review' }>,
): Promise<CommandAnswer> {
  const { task, decision } = command
  const outcome = await reviewTask(store, world, projectFolder, { id: task, by, ...requestOf(command) })
  const message = decision === 'approve' ? `${task} is approved.` : `${task} goes back to its developer.`
  return told(outcome, message, task)
}

function requestOf(
  command: Extract<Deciding, { kind: 'review' }>,
): Pick<ReviewRequest, 'decision' | 'issues' | 'text' | 'option' | 'hint'> {
  if (command.decision === 'approve') {
    return { decision: 'approve', issues: [], text: command.note ?? null, option: null, hint: null }
  }
  const { note, issues = [], comments = [], start = null } = command
  const text = [note, noteOf(comments)].filter((part) => part !== '').join('\n')
  return { decision: 'changes', issues, text: text === '' ? null : text, option: start, hint: null }
}

/**
 * Line comments send a task back when it waits for a review; otherwise they go to the agent at work, or to
 * the next one.
 */
async function comment(
  scene: Scene,
  { task: id, comments }: Extract<Deciding, { kind: 'comment' }>,
): Promise<CommandAnswer> {
  const { store, by } = scene
  const [task] = await store.query({ ids: [id] })
  if (task && standingOf(task, new Set()).state === 'person-review') {
    const note = 'See the comments on these lines:'
    return review(scene, { kind: 'review', task: id, decision: 'changes', note, comments })
  }
  return tellOfLines(store, by, id, comments)
}

async function tellOfLines(
  store: Store,
  by: string,
  id: CaseId,
  comments: readonly LineComment[],
): Promise<CommandAnswer> {
  const text = `A person commented on these lines of your work:\n${noteOf(comments)}`
  const outcome = await giveOrder(store, id, await makeOrder(store, by, { kind: 'tell' }, text))
  return told(outcome, `Whoever works on ${id} is told.`, id)
}
