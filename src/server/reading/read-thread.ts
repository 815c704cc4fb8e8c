import type { Case, HistoryEntry } from '../../cases/case.ts'
import { fields } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'
import type { ThreadEntry, ThreadIssue } from '../contract.ts'
import { type Loose, listOf, readJsonBlob, text, textOrNull } from './loose-values.ts'

const NOTES_MAX = 500
/** The form in which delivery records a move of a task: signal, author, and the states before and after. */
const MOVE = /^([A-Z][A-Z_]+) by (\S+): ([a-z-]+) → ([a-z-]+)(?: \((.+)\))?$/s

type Step = Omit<ThreadEntry, 'text' | 'issues'> & { readonly why: string }

/** The reviews of a task, oldest first: handed in, found, sent back, audited, landed. */
export async function readThread(
  store: Store,
  task: Case,
  history: readonly HistoryEntry[],
): Promise<ThreadEntry[]> {
  const { findings, verdicts } = fields(task.metadata.delivery)
  const notes = listOf(await readJsonBlob(store, findings)).slice(0, NOTES_MAX)
  const steps = stepsOf(task, history, listOf(verdicts))
  const entries = steps.map(({ why, ...step }) => {
    const own = notes.filter((note) => isOf(step, note))
    const said = own.filter(({ kind }) => kind !== undefined).map((note) => text(note.text))
    return {
      ...step,
      text: [...(why === '' ? [] : [why]), ...said].join('\n\n'),
      issues: own.filter(({ kind }) => kind === undefined).map(issueOf),
    }
  })
  const loose = notes.filter((note) => !steps.some((step) => isOf(step, note)))
  return [...loose.map(looseEntry), ...entries]
}

/**
 * A finding belongs to the verdict of its author; only critics and auditors report findings, once per commit.
 */
function isOf({ by, commit }: Pick<Step, 'by' | 'commit'>, note: Loose): boolean {
  return note.by === by && (commit === null || commit === textOrNull(note.commit))
}

/**
 * The history has every move; the task keeps only the last verdicts, but with their commits. Both have the
 * same order, so they are matched from the end.
 */
function stepsOf(task: Case, history: readonly HistoryEntry[], verdicts: readonly Loose[]): Step[] {
  const left = [...verdicts]
  const steps: Step[] = []
  for (const move of movesIn(history).toReversed()) {
    const at = left.findLastIndex((one) => one.signal === move.verdict && one.agent === move.said)
    const known = at < 0 ? undefined : left.splice(at)[0]
    const { said: _, ...step } = move
    steps.unshift({
      ...step,
      ...(known
        ? {
            id: text(known.id),
            role: move.by === move.said ? text(known.sender) : '',
            commit: commitOf(task, known),
          }
        : { commit: null }),
    })
  }
  return [...left.map((verdict) => verdictStep(task, verdict)), ...steps]
}

interface Move extends Step {
  readonly said: string
}

/** One commit records a move more than once: with the status, and with its other changes. */
function movesIn(history: readonly HistoryEntry[]): Move[] {
  const seen = new Set<string>()
  return history.flatMap(({ timestamp, actor, reason }, at): Move[] => {
    const [, verdict, said, from, to, why = ''] = MOVE.exec(reason) ?? []
    const key = `${timestamp} ${reason}`
    if (verdict === undefined || said === undefined || from === undefined || to === undefined) return []
    if (seen.has(key)) return []
    seen.add(key)
    const by = verdict === 'CLAIMED' ? actor : said
    return [{ id: `move-${at}`, at: timestamp, by, role: '', verdict, said, from, to, commit: null, why }]
  })
}

/** A verdict of another version that the history does not have. */
function verdictStep(task: Case, verdict: Loose): Step {
  return {
    id: text(verdict.id),
    at: text(verdict.at),
    by: text(verdict.agent),
    role: text(verdict.sender),
    verdict: text(verdict.signal),
    from: null,
    to: null,
    commit: commitOf(task, verdict),
    why: '',
  }
}

/** The landed commit differs from the reviewed one that it was made from. */
function commitOf(task: Case, verdict: Loose): string | null {
  const { commit } = fields(fields(task.metadata.landing).landed)
  return verdict.signal === 'LANDED' && typeof commit === 'string' ? commit : textOrNull(verdict.commit)
}

/** A note that belongs to no entry of the thread. */
function looseEntry(note: Loose, at: number): ThreadEntry {
  return {
    id: `note-${at}`,
    at: null,
    by: text(note.by),
    role: '',
    verdict: text(note.kind ?? 'finding'),
    from: null,
    to: null,
    commit: textOrNull(note.commit),
    text: note.kind === undefined ? '' : text(note.text),
    issues: note.kind === undefined ? [issueOf(note)] : [],
  }
}

function issueOf({ text: words, file, line, criterion }: Loose): ThreadIssue {
  return {
    text: text(words),
    file: textOrNull(file),
    line: typeof line === 'number' ? line : null,
    blocks: typeof criterion === 'string' || typeof file === 'string',
  }
}
