import type { Iteration } from '../personas/prompt-input.ts'

/** What is left of the attempt before this one. */
export interface LastAttempt {
  /** The execution log of the task as it is on disk, or the end of it. */
  readonly log: string
  /** How the last run ended, as far as the task records it. */
  readonly end?: string | undefined
  /** Commits that the workspace already has, newest first, one line each. */
  readonly commits: readonly string[]
  readonly restarts: number
  /** Why it ended, where that is known. */
  readonly reason?: string | undefined
}

/** Events after which an attempt needs no recovery: the agent's own signal or a person ended it. */
const ORDERLY = new Set(['complete', 'blocked', 'pending', 'referred'])
const ENTRIES_SHOWN_MAX = 30
const ENTRY_CHARACTERS_MAX = 1_500

/** What the next agent's prompt says about an attempt that broke off; undefined when there was none. */
export function recoveryOf({ log, end, commits, restarts, reason }: LastAttempt): Iteration['recovery'] {
  const entries = lastAttemptIn(log)
  const last = entries.at(-1)
  // An attempt can be cut off between its last line and the commit: then the store does not know its end.
  if (last === undefined || (ORDERLY.has(String(last.event)) && last.event === end)) return undefined
  const why = reason ?? endOf(last)
  const kept =
    commits.length === 0
      ? 'It left no commit.'
      : `Its commits are on your branch: ${commits.slice(0, 10).join('; ')}. Look at them first.`
  const text = entries.slice(-ENTRIES_SHOWN_MAX).map(shorten).join('\n')
  return {
    reason: `The last attempt broke off (${why}; restarts so far: ${restarts}). ${kept}`,
    log: { title: 'The end of its log', origin: 'the log of the last attempt', text },
  }
}

type Entry = Readonly<Record<string, unknown>>

/** The entries since the last start; a truncated line is left out. */
function lastAttemptIn(log: string): Entry[] {
  const entries = log.split('\n').flatMap((line): Entry[] => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [value as Entry] : []
    } catch {
      return []
    }
  })
  // The start of a long attempt may lie before the end of the log that was read.
  return entries.slice(
    Math.max(
      0,
      entries.findLastIndex(({ event }) => event === 'start'),
    ),
  )
}

function endOf({ event, reason }: Entry): string {
  const isEnd = ['failed', 'timeout', 'restart', 'stopped', 'fence-lost'].includes(String(event))
  if (!isEnd) return 'it was cut off without a word'
  return typeof reason === 'string' ? `${event}: ${reason}` : String(event)
}

/** Of an iteration, only the agent's output matters; its prompt repeats what the reader has. */
function shorten({ timestamp, input: _, ...rest }: Entry): string {
  const text = JSON.stringify({ timestamp, ...rest })
  return text.length <= ENTRY_CHARACTERS_MAX ? text : `${text.slice(0, ENTRY_CHARACTERS_MAX)}…`
}
