import type { Case, CaseId } from '../cases/case.ts'
import { compareIds } from '../cases/ids.ts'
import { titleOf } from './board.ts'
import type { InboxEntry, InboxKind } from './inbox-entry.ts'
import { fields, standingOf } from './task-standing.ts'

const NONE: ReadonlySet<CaseId> = new Set()

/** Everything that waits for a person; the entry that holds most tasks comes first. */
export function foldInbox(cases: readonly Case[]): InboxEntry[] {
  const behind = dependents(cases)
  const byId = new Map(cases.map((subject) => [subject.id, subject]))
  const entries = cases.flatMap((subject): InboxEntry[] => {
    if (subject.deletedAt !== undefined) return []
    if (isOpenQuestion(subject)) return [questionEntry(subject, byId, behind)]
    if (subject.type === 'task' && standingOf(subject, NONE).state === 'person-review')
      return [reviewEntry(subject, behind)]
    return []
  })
  return entries.sort((a, b) => b.waiting.length - a.waiting.length || compareIds(a.id, b.id))
}

export function isOpenQuestion({ type, status, deletedAt }: Case): boolean {
  return type === 'pending' && status !== 'done' && deletedAt === undefined
}

function questionEntry(
  subject: Case,
  byId: ReadonlyMap<CaseId, Case>,
  behind: ReadonlyMap<CaseId, readonly CaseId[]>,
): InboxEntry {
  const { question, context, options, attempts, fallback, deadline, raisedBy, waitingTask } = subject.metadata
  const held = typeof waitingTask === 'string' ? waitingTask : undefined
  const kind = matterKind(subject) ?? kindOf(held === undefined ? undefined : byId.get(held))
  const answer = textOrNull(fallback)
  const until = textOrNull(deadline)
  return {
    id: subject.id,
    kind,
    question: textOrNull(question) ?? subject.content,
    context: textOrNull(context),
    options: optionsOf(options),
    tried: Array.isArray(attempts) ? attempts.filter((item): item is string => typeof item === 'string') : [],
    fallback: answer,
    raisedBy: textOrNull(raisedBy) ?? 'user',
    raisedAt: subject.createdAt,
    deadline: until,
    atDeadline: until === null ? null : answer === null ? 'asked again' : `answered with "${answer}"`,
    waiting: held === undefined ? [] : allBehind(held, behind),
  }
}

function reviewEntry(task: Case, behind: ReadonlyMap<CaseId, readonly CaseId[]>): InboxEntry {
  const { filesChanged, linesAdded, linesRemoved } = fields(fields(task.metadata.execution).codeChanges)
  const size = filesChanged === undefined ? null : `${filesChanged} files, +${linesAdded} -${linesRemoved}`
  return {
    id: task.id,
    kind: 'review',
    question: `Shall "${titleOf(task)}" land?`,
    context: size,
    options: [
      { label: 'approve' },
      { label: 'changes', tradeOff: 'goes back to its developer with your note' },
    ],
    tried: [],
    fallback: null,
    raisedBy: 'system',
    raisedAt: standingOf(task, NONE).since,
    deadline: null,
    atDeadline: null,
    waiting: allBehind(task.id, behind),
  }
}

/** A question about the user's own branch, the remote's, or a repair without a budget. */
function matterKind({ metadata: { matter } }: Case): InboxKind | undefined {
  const { kind } = fields(matter)
  if (typeof kind !== 'string') return undefined
  if (kind === 'repair-unpaid') return 'question'
  return kind === 'publish-refused' || kind === 'target-deleted' ? 'publish' : 'conflict'
}

function kindOf(held: Case | undefined): InboxKind {
  if (held === undefined) return 'question'
  const { state } = standingOf(held, NONE)
  if (state === 'failed' || held.status === 'failed') return 'escalation'
  return state === 'repair-escalated' || state === 'halted' ? 'repair' : 'question'
}

function optionsOf(value: unknown): InboxEntry['options'] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    const { label, tradeOff } = fields(item)
    if (typeof label !== 'string') return []
    return [{ label, ...(typeof tradeOff === 'string' ? { tradeOff } : {}) }]
  })
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function dependents(cases: readonly Case[]): Map<CaseId, CaseId[]> {
  const behind = new Map<CaseId, CaseId[]>()
  for (const { id, dependsOn = [], status, deletedAt } of cases) {
    if (deletedAt !== undefined || status === 'done') continue
    for (const on of dependsOn) {
      const list = behind.get(on)
      if (list) list.push(id)
      else behind.set(on, [id])
    }
  }
  return behind
}

/** The case itself first, then every case that waits for it, directly or indirectly. */
function allBehind(id: CaseId, behind: ReadonlyMap<CaseId, readonly CaseId[]>): CaseId[] {
  const found = new Set([id])
  for (const at of found) for (const next of behind.get(at) ?? []) found.add(next)
  return [...found]
}
