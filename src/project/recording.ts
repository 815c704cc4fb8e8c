import { z } from 'zod'

const text = z.string()
const count = z.int().nonnegative()

const begin = z.object({
  type: z.literal('begin'),
  version: z.literal(1),
  at: text,
  director: text,
  /** The branch that work lands on, and its commit. */
  target: text,
  base: text,
  /** The digest of the cases as they were, one exported line each. */
  cases: text,
})

const turn = z.object({
  type: z.literal('turn'),
  role: text,
  task: text,
  agent: text,
  iteration: count,
  /** The commit of the target when the turn began: what had landed by then. */
  target: text,
  /** What the agent said, a text per message. */
  speech: z.array(text),
  end: text,
  /** What the turn committed, compared with before; null when it committed nothing or too much to keep. */
  change: z
    .object({
      patch: text,
      message: text,
      /** For a resolver, which is in the middle of a merge: the files as it left them. */
      files: z.record(text, text).nullable(),
    })
    .nullable(),
})

const end = z.object({
  type: z.literal('end'),
  at: text,
  /** The tree of the target when the work ended, and the tasks that were done then. */
  tree: text,
  done: z.array(text),
})

const line = z.discriminatedUnion('type', [begin, turn, end])

export type RecordedLine = Readonly<z.infer<typeof line>>
export type RecordedBegin = Readonly<z.infer<typeof begin>>
export type RecordedTurn = Readonly<z.infer<typeof turn>>

/** A recording of one run of the director: what its agents said and committed, turn by turn. */
export interface Recording {
  readonly begin: RecordedBegin
  readonly turns: readonly RecordedTurn[]
  /** Absent when the run was cut short. */
  readonly end: Readonly<z.infer<typeof end>> | undefined
  /** Lines that could not be read: a truncated last one, or damage. */
  readonly unread: number
}

/** Reads a recording; undefined when its start is missing. */
export function parseRecording(content: string): Recording | undefined {
  const lines = content.split('\n').filter((entry) => entry !== '')
  const read = lines.flatMap((entry): RecordedLine[] => {
    try {
      const parsed = line.safeParse(JSON.parse(entry))
      return parsed.success ? [parsed.data] : []
    } catch {
      return []
    }
  })
  const first = read.find((entry) => entry.type === 'begin')
  if (first === undefined) return undefined
  return {
    begin: first,
    turns: read.filter((entry) => entry.type === 'turn'),
    end: read.findLast((entry) => entry.type === 'end'),
    unread: lines.length - read.length,
  }
}
