import type { Case } from '../../cases/case.ts'
import { fields } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'
import type { Criterion, Evidence, ThreadEntry, ThreadIssue } from '../contract.ts'

/** Read loosely: what another version wrote is shown as far as it is understood. */
type Loose = Readonly<Record<string, unknown>>

const NOTES_MAX = 500

/** A blob of JSON; nothing when it is gone or is none. */
export async function readJsonBlob(store: Pick<Store, 'getBlob'>, digest: unknown): Promise<unknown> {
  if (typeof digest !== 'string') return undefined
  const bytes = await store.getBlob(digest).catch(() => undefined)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/** Each verdict with what was found on its commit; findings without one stand for themselves. */
export async function readThread(store: Store, task: Case): Promise<ThreadEntry[]> {
  const delivery = fields(task.metadata.delivery)
  const notes = listOf(await readJsonBlob(store, delivery.findings)).slice(0, NOTES_MAX)
  const verdicts = listOf(delivery.verdicts)
  const entries = verdicts.map((verdict): ThreadEntry => {
    const own = notes.filter(({ by, commit }) => by === verdict.agent && commit === verdict.commit)
    return {
      id: text(verdict.id),
      at: text(verdict.at),
      by: text(verdict.agent),
      role: text(verdict.sender),
      verdict: text(verdict.signal),
      commit: textOrNull(verdict.commit),
      text: own
        .filter(({ kind }) => kind !== undefined)
        .map((note) => text(note.text))
        .join('\n\n'),
      issues: own.filter(({ kind }) => kind === undefined).map(issueOf),
    }
  })
  const told = new Set(verdicts.map(({ agent, commit }) => `${agent} ${commit}`))
  return [
    ...looseNotes(
      notes.filter(({ by, commit }) => !told.has(`${by} ${commit}`)),
      task,
    ),
    ...entries,
  ]
}

/** Verdicts are kept for a while only; what they found is kept for good. */
function looseNotes(notes: readonly Loose[], task: Case): ThreadEntry[] {
  return notes.map((note, index) => ({
    id: `note-${index}`,
    at: task.createdAt,
    by: text(note.by),
    role: '',
    verdict: text(note.kind ?? 'finding'),
    commit: textOrNull(note.commit),
    text: note.kind === undefined ? '' : text(note.text),
    issues: note.kind === undefined ? [issueOf(note)] : [],
  }))
}

function issueOf({ text: words, file, line, criterion }: Loose): ThreadIssue {
  return {
    text: text(words),
    file: textOrNull(file),
    line: typeof line === 'number' ? line : null,
    blocks: typeof criterion === 'string' || typeof file === 'string',
  }
}

/** The criteria of a case, each with what the last auditor said of it. */
export async function readCriteria(store: Store, subject: Case): Promise<Criterion[]> {
  const criteria = listOfTexts(subject.metadata.acceptanceCriteria)
  if (criteria.length === 0) return []
  const words = fields(fields(subject.metadata.words).auditor)
  const said = fields(await readJsonBlob(store, words.digest))
  const body = fields(said.body)
  const judged = [
    ...listOf(body.criteria).map((entry) => ({ entry, met: true })),
    ...listOf(body.failedCriteria).map((entry) => ({ entry, met: false })),
  ]
  return criteria.map((wanted, at) => {
    const found = judged.filter(({ entry }) => isAbout(text(entry.criterion), wanted, at + 1))
    const last = found.at(-1)
    return {
      text: wanted,
      state: last === undefined ? 'unjudged' : last.met ? 'met' : 'unmet',
      evidence: found.map(({ entry }) => evidenceOf(entry, textOrNull(words.commit))),
    }
  })
}

function evidenceOf({ evidence }: Loose, commit: string | null): Evidence {
  return { by: 'auditor', text: text(evidence), commit }
}

/** Prompts number the criteria C1, C2, …; an auditor names the number, or repeats the words in its own hand. */
const NUMBERED = /^\W*C(\d+)\b/

function isAbout(said: string, criterion: string, number: number): boolean {
  const numbered = NUMBERED.exec(said)
  if (numbered) return Number(numbered[1]) === number
  const [a, b] = [letters(said), letters(criterion)]
  return a !== '' && (a === b || b.includes(a) || a.includes(b))
}

function letters(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map(fields) : []
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
