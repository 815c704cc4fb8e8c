import type { CaseCommand, NewCase } from '../cases/command.ts'
import type { Question } from './verdict.ts'

const CONTEXT_CHARACTERS_MAX = 4_000

/** The case that puts a run's question before a person; it holds that one task and nothing else. */
export function questionCase(question: Question, task: { id: string; parentId: string | null }): NewCase {
  const { question: text, context, options, attempts } = question
  return {
    type: 'pending',
    content: text,
    parentId: task.parentId,
    metadata: {
      question: text,
      waitingTask: task.id,
      decision: null,
      ...(options ? { options } : {}),
      ...(context ? { context: context.slice(0, CONTEXT_CHARACTERS_MAX) } : {}),
      ...(attempts ? { attempts } : {}),
    },
  }
}

/** What an answer does: it is kept, its question is done, and the task that waited for it can go on. */
export function answerCommands(questionId: string, waitingTask: string, answer: string): CaseCommand[] {
  return [
    { kind: 'update', id: questionId, metadata: { decision: answer }, reason: 'answered' },
    { kind: 'complete', id: questionId, result: answer },
    { kind: 'move', id: waitingTask, status: 'pending', reason: `${questionId} is answered` },
  ]
}
