import type { CaseId } from '../../cases/case.ts'
import { applyWord } from '../../director/apply-word.ts'
import { answerQuestion } from '../../director/intervene/answer-question.ts'
import { giveOrder, makeOrder } from '../../director/intervene/give-order.ts'
import { overrideCase } from '../../director/intervene/override-case.ts'
import { retryTask } from '../../director/intervene/retry-task.ts'
import { personsWord } from '../../director/speak.ts'
import type { WordWorld } from '../../director/word-world.ts'
import { standingOf } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'
import { noteOf } from '../command-line.ts'
import type { CommandAnswer, LineComment } from '../contract.ts'
import type { SoundCommand } from './command-schema.ts'
import { told } from './steer.ts'

type Deciding = Extract<
  SoundCommand,
  { kind: 'answer' | 'review' | 'retry' | 'override' | 'halt' | 'comment' }
>

/** What settles an entry of the inbox, or undoes how a task ended. */
export async function decide(
  store: Store,
  world: WordWorld,
  by: string,
  command: Deciding,
  key: string,
): Promise<CommandAnswer> {
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
      return review(store, world, by, command, key)
    case 'retry': {
      const { task, guidance } = command
      return told(await retryTask(store, world, by, task, guidance), `${task} is tried again.`, task)
    }
    case 'override': {
      const { case: id, reason } = command
      return told(await overrideCase(store, world, by, id, reason), `${id} goes on.`, id)
    }
    case 'comment':
      return comment(store, world, by, command, key)
  }
}

async function review(
  store: Store,
  world: WordWorld,
  by: string,
  command: Extract<Deciding, { kind: 'review' }>,
  key: string,
): Promise<CommandAnswer> {
  const { task } = command
  const isApproval = command.decision === 'approve'
  const text = isApproval ? (command.note ?? null) : changesText(command)
  const occurrence = personsWord(task, isApproval ? 'APPROVED' : 'CHANGES_REQUESTED', {
    id: `review/${key}`,
    by,
    text,
  })
  const answer = await applyWord(store, world, { about: task, occurrence })
  switch (answer.kind) {
    case 'moved':
      return {
        kind: 'done',
        message: isApproval ? `${task} is approved and lands.` : `${task} goes back to its developer.`,
        cases: [task],
      }
    case 'refused':
      return {
        kind: 'refused',
        code: 'REVIEW_NOT_AWAITED',
        message: answer.message,
        hint: '"axiom inbox" shows what waits for a review',
      }
    case 'fence-lost':
      return {
        kind: 'refused',
        code: 'StaleClaim',
        message: `${task} is in other hands now`,
        hint: 'look at it again',
      }
  }
}

function changesText({
  note,
  issues = [],
  comments = [],
}: Extract<Deciding, { kind: 'review'; decision: 'changes' }>): string {
  return [note, ...issues.map((issue) => `- ${issue}`), noteOf(comments)]
    .filter((part) => part !== '')
    .join('\n')
}

/**
 * Comments on lines go to whoever can use them: back with the task when it waits for a review, else to the agent at
 * work, or to the next one.
 */
async function comment(
  store: Store,
  world: WordWorld,
  by: string,
  { task: id, comments }: Extract<Deciding, { kind: 'comment' }>,
  key: string,
): Promise<CommandAnswer> {
  const [task] = await store.query({ ids: [id] })
  if (task && standingOf(task, new Set()).state === 'person-review') {
    const note = 'See the comments on these lines:'
    return review(store, world, by, { kind: 'review', task: id, decision: 'changes', note, comments }, key)
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
