import { z } from 'zod'
import type { Actor } from '../../cases/case.ts'
import { defaultAnswer, questionIn } from '../../delivery/default-answer.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import { Failure } from '../../platform/failure.ts'
import type { Store } from '../../store/store.ts'
import type { ProposedAnswer } from '../delivery/event-context.ts'
import { retryStale, STALE } from '../retry-stale.ts'

/** The document of the store that holds a person's standing answers. */
const DOCUMENT = 'standing-answers'
const VERSION = 1
/** The oldest is dropped. */
const ANSWERS_MAX = 200

const answer = z.object({
  /** As it was asked; `sameQuestion` says what counts as the same. */
  question: z.string().max(2_000),
  answer: z.string().max(200),
  by: z.string().max(80),
  at: z.string(),
})
const schema = z.object({ version: z.literal(VERSION), answers: z.array(answer).max(ANSWERS_MAX) })

export type StandingAnswer = Readonly<z.infer<typeof answer>>

/**
 * The proposed answer to the question of an event: a person's standing answer, else the asker's own default.
 */
export function proposeAnswers(
  store: Pick<Store, 'document'>,
): (occurrence: Occurrence) => Promise<ProposedAnswer | null> {
  return async (occurrence) => {
    const question = questionIn(occurrence)
    if (question === undefined) return null
    const standing = await standingAnswerTo(store, question)
    if (standing !== undefined) return { text: standing, isStanding: true }
    const text = defaultAnswer(occurrence)
    return text === null ? null : { text, isStanding: false }
  }
}

/** A person's standing answer to this question. */
export async function standingAnswerTo(
  store: Pick<Store, 'document'>,
  question: string,
): Promise<string | undefined> {
  return (await readStandingAnswers(store)).find((known) => isSame(known.question, question))?.answer
}

/** All standing answers; a document that cannot be read has none. */
export async function readStandingAnswers(
  store: Pick<Store, 'document'>,
): Promise<readonly StandingAnswer[]> {
  const { value } = await store.document(DOCUMENT)
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data.answers : []
}

/** Keeps an answer for every time the question comes up again. */
export async function rememberAnswer(
  store: Pick<Store, 'document' | 'transact' | 'now'>,
  by: Actor,
  question: string,
  text: string,
): Promise<void> {
  const at = await store.now()
  return retryStale('the list of standing answers', async () => {
    const { rev } = await store.document(DOCUMENT)
    const others = (await readStandingAnswers(store)).filter((known) => !isSame(known.question, question))
    const answers = [...others, { question, answer: text, by, at }].slice(-ANSWERS_MAX)
    const value = { version: VERSION, answers }
    const outcome = await store.transact({
      commands: [],
      by,
      documents: [{ key: DOCUMENT, value, expect: rev }],
    })
    if (outcome.kind === 'committed') return
    if (outcome.kind === 'refused')
      throw new Failure('STORE_REFUSED', outcome.message, { hint: outcome.hint })
    return STALE
  })
}

/** Case, spaces, punctuation and the ids of cases do not make another question. */
function isSame(one: string, other: string): boolean {
  return essence(one) === essence(other)
}

function essence(question: string): string {
  return question
    .toLowerCase()
    .replace(/\b[a-z]+-\d{3,}\b/g, '#')
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
}
