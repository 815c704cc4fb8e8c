import type { Actor, Case, CaseId } from '../../cases/case.ts'
import { isOpenQuestion } from '../../events/inbox.ts'
import type { Store } from '../../store/store.ts'
import { standingAnswerTo } from './standing-answers.ts'

/** The key of a question's metadata that says what its answer is for, where no task waits for it. */
const ASKS_KEY = 'asks'
const CLEANING = 'cleaning'
/** The key that marks an answer as used: a yes is valid for one cleaning. */
const USED_KEY = 'used'
/** After a no, the question is not asked again before this time. */
const ASK_AGAIN_MS = 24 * 60 * 60_000
const NAMED_MAX = 10
const QUESTION =
  'The disk is short. May old checkpoints and the workspaces of failed tasks go before their time?'

export type Consent =
  | { readonly kind: 'unasked' | 'asked' | 'refused' }
  /** Without a question: a person gave a standing answer. */
  | { readonly kind: 'given'; readonly question: CaseId | null }

export function asksConsent({ metadata }: Pick<Case, 'metadata'>): boolean {
  return metadata[ASKS_KEY] === CLEANING
}

/**
 * The person's answer about the cleaning that needs consent. It is kept in the store, so it holds for every
 * process.
 */
export async function readConsent(store: Pick<Store, 'query' | 'now' | 'document'>): Promise<Consent> {
  const standing = await standingAnswerTo(store, QUESTION)
  if (standing !== undefined) return isYes(standing) ? { kind: 'given', question: null } : { kind: 'refused' }
  const questions = (await store.query({ type: 'pending' })).filter(asksConsent)
  const last = questions.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1)
  if (!last) return { kind: 'unasked' }
  if (isOpenQuestion(last)) return { kind: 'asked' }
  const { decision } = last.metadata
  if (isYes(decision))
    return last.metadata[USED_KEY] === true ? { kind: 'unasked' } : { kind: 'given', question: last.id }
  const isLongAgo = Date.parse(await store.now()) - Date.parse(last.updatedAt) >= ASK_AGAIN_MS
  return { kind: isLongAgo ? 'unasked' : 'refused' }
}

function isYes(answer: unknown): boolean {
  return typeof answer === 'string' && /^\s*(?:y|yes)\b/i.test(answer)
}

export async function useConsent(store: Pick<Store, 'transact'>, by: Actor, id: CaseId): Promise<void> {
  const metadata = { [USED_KEY]: true }
  await store.transact({ commands: [{ kind: 'update', id, metadata, reason: 'it was cleaned' }], by })
}

/** Puts the question into the inbox; without an answer nothing is removed. */
export async function askConsent(
  store: Pick<Store, 'transact'>,
  by: Actor,
  names: readonly string[],
): Promise<void> {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  const metadata = {
    [ASKS_KEY]: CLEANING,
    question: QUESTION,
    context: `${names.slice(0, NAMED_MAX).join(', ')}${more}. What is in the workspaces is saved first; "axiom rescue" brings it back.`,
    options: [
      { label: 'yes', tradeOff: 'more room; a rollback to those checkpoints is no longer possible' },
      { label: 'no', tradeOff: 'they stay until their time is over; make room some other way' },
    ],
    decision: null,
    raisedBy: by,
  }
  await store.transact({
    commands: [{ kind: 'create', type: 'pending', content: QUESTION, metadata }],
    by,
  })
}
