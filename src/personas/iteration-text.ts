import { materialText } from './assignment-text.ts'
import { fence } from './fence.ts'
import type { Iteration } from './prompt-input.ts'

/** The longest output of a check that is quoted; its end matters most and is kept. */
const OUTPUT_CHARACTERS_MAX = 12_000

/** An agent may have no memory of its last iteration: only the directory is left of it. */
const CONTINUED =
  'You have been at this before, in this same directory. See what is there already (`git status`, `git log`) before you go on.'

/** The part that is new each time: results, events, a person's messages. */
export function iterationText(iteration: Iteration): string {
  const { number, recovery, feedback = [], answers = [], messages = [] } = iteration
  const sections = [
    number > 1 ? CONTINUED : undefined,
    recovery && `## What happened before\n${recovery.reason}`,
    recovery?.log && materialText(recovery.log, OUTPUT_CHARACTERS_MAX),
    ...answers.map(
      ({ question, answer, by }) =>
        `## An answer to your question\n${fence(`${by}, who decided`, `Question: ${question}\nAnswer: ${answer}`)}`,
    ),
    ...messages.map(({ by, text }) => `## A message for you\n${fence(by, text)}`),
    ...feedback.map((entry) =>
      materialText(entry, entry.kind === 'output' ? OUTPUT_CHARACTERS_MAX : Number.POSITIVE_INFINITY),
    ),
  ].filter((section) => section !== undefined)
  if (sections.length === 0) return ''
  return [`# Iteration ${number}`, ...sections].join('\n\n')
}
