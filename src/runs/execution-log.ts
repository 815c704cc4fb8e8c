import type { Signal } from '../signals/finding.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { RunEnd } from './run-end.ts'

/** Longer prompts and answers are cut at the front: what is new is at their end. */
const TEXT_CHARACTERS_MAX = 16_000

/** The entries of `logs/{taskId}.jsonl`, without the instant. */
export type LogEntry =
  | { readonly event: 'start'; readonly task: string }
  | { readonly event: 'iteration'; readonly number: number; readonly input: string; readonly output: string }
  | { readonly event: 'signal'; readonly type: string; readonly payload: string | null }
  | { readonly event: 'commit'; readonly commit: string }
  | { readonly event: 'verification'; readonly result: string; readonly checks: readonly string[] }
  | { readonly event: 'wait'; readonly reason: string; readonly until: string }
  | { readonly event: 'warning'; readonly kind: string; readonly message: string }
  | {
      readonly event: RunEnd['kind']
      readonly reason?: string
      readonly durationMs: number
      readonly iterations: number
    }

/** One line of the execution log, without the line feed; instants are to the second. */
export function formatLogEntry({ records }: Vocabulary, atMs: number, entry: LogEntry): string {
  const timestamp = new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')
  switch (entry.event) {
    case 'start':
      return JSON.stringify({ timestamp, event: 'start', [records.workId]: entry.task })
    case 'iteration': {
      const { event, number, input, output } = entry
      return JSON.stringify({ timestamp, event, number, input: tail(input), output: tail(output) })
    }
    case 'signal': {
      const { event, type, payload } = entry
      return JSON.stringify({ timestamp, event, type, ...(payload === null ? {} : { payload }) })
    }
    default:
      return JSON.stringify({ timestamp, ...entry })
  }
}

export function signalEntry({ type, payload }: Signal): LogEntry {
  return { event: 'signal', type, payload }
}

function tail(text: string): string {
  return text.length <= TEXT_CHARACTERS_MAX ? text : `…${text.slice(-TEXT_CHARACTERS_MAX)}`
}
