import type { Feedback, Iteration } from '../personas/prompt-input.ts'

/**
 * What is repeated in every iteration of a run: the answers, findings and advice that it began with, then
 * what is new. An agent may remember nothing of the iteration before.
 */
export function standingNews(
  first: Iteration,
  fresh: readonly Feedback[],
): Pick<Iteration, 'answers' | 'feedback'> {
  const feedback = [...(first.feedback ?? []), ...fresh]
  return {
    ...(first.answers ? { answers: first.answers } : {}),
    ...(feedback.length > 0 ? { feedback } : {}),
  }
}
