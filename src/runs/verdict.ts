import { chooseSignal } from '../signals/choose-signal.ts'
import type { Signal, SignalOf } from '../signals/finding.ts'

export interface Question {
  readonly question: string
  readonly context?: string
  readonly options?: readonly { readonly label: string; readonly tradeOff?: string }[]
  readonly attempts?: readonly string[]
}

/** What a developer tells the reviewers with its claim; absent when it gave the claim alone. */
export interface HandedOver {
  readonly handover?: SignalOf<'READY_FOR_REVIEW'>
}

/** What an iteration's signals mean for the run. */
export type Verdict =
  | ({ readonly kind: 'complete' } & HandedOver)
  | { readonly kind: 'blocked'; readonly reason: string; readonly signal: Signal }
  | { readonly kind: 'question'; readonly question: Question; readonly signal: Signal }
  /** A case for delivery: a broken environment, an expert, a file that another task has in hand. */
  | { readonly kind: 'referral'; readonly signal: Signal; readonly reason: string }

/** The one verdict of an iteration, in either notation; undefined when none was given. */
export function verdictOf(signals: readonly Signal[]): Verdict | undefined {
  const chosen = chooseSignal(signals)
  if (chosen === null) return undefined
  switch (chosen.name) {
    case 'COMPLETE':
    case 'READY_FOR_REVIEW':
      return { kind: 'complete', ...handedOver(signals) }
    case 'BLOCKED':
      return { kind: 'blocked', reason: chosen.payload ?? '', signal: chosen }
    case 'TASK_INCOMPLETE':
      return { kind: 'blocked', reason: textOf(chosen), signal: chosen }
    case 'PENDING':
      return { kind: 'question', question: { question: chosen.payload ?? '' }, signal: chosen }
    case 'SEEKING_DIVINE_CLARIFICATION':
      return { kind: 'question', question: clarification(chosen), signal: chosen }
    case 'INFRA_BLOCKED':
    case 'EXPERT_REQUEST':
    case 'FILE CONFLICT':
      return { kind: 'referral', signal: chosen, reason: `${chosen.type}: ${textOf(chosen)}` }
    default:
      return undefined
  }
}

/** An agent may claim in both notations at once; only one of them can carry more than the claim. */
function handedOver(signals: readonly Signal[]): HandedOver {
  const handover = signals.findLast((signal) => signal.name === 'READY_FOR_REVIEW')
  return handover ? { handover } : {}
}

const NO_REASON = 'no reason was given'

function clarification(signal: Extract<Signal, { name: 'SEEKING_DIVINE_CLARIFICATION' }>): Question {
  const { question, context, options = [], attempts = [] } = signal.body ?? {}
  return {
    question: question || textOf(signal),
    ...(context ? { context } : {}),
    ...(options.length > 0 ? { options: options.map(optionOf) } : {}),
    ...(attempts.length > 0 ? { attempts: attempts.map(lineOf) } : {}),
  }
}

function optionOf({ subject, detail }: { subject: string; detail: string | null }) {
  return { label: subject, ...(detail === null ? {} : { tradeOff: detail }) }
}

function lineOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  return Object.values(entry)
    .filter((value) => value !== null)
    .join(': ')
}

/** The content of a line signal, as one paragraph for people. */
function textOf({ body, payload }: Signal): string {
  const values = Object.values(body ?? {}).flatMap((value: unknown) =>
    Array.isArray(value) ? value.map(lineOf) : typeof value === 'string' ? [value] : [],
  )
  const text = values.filter((value) => value.trim() !== '').join('; ')
  return text || (payload ?? '') || NO_REASON
}
