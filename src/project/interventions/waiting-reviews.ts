import type { Case, CaseId } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { personsPart, type ReviewRules } from '../../delivery/review-mode.ts'
import type { Store } from '../../store/store.ts'
import { findingLine, readNotes } from '../task-notes.ts'
import { reviewsOf } from './review-task.ts'

/** A change that waits for a person, with what is needed to decide about it. */
export interface WaitingReview {
  readonly id: CaseId
  readonly title: string
  readonly commit: string
  /** `together`: it can be decided together with others. */
  readonly part: 'alone' | 'together'
  readonly iterations: number
  readonly changes: { readonly files: number; readonly added: number; readonly removed: number } | null
  /** What was changed in the checks themselves. */
  readonly flagged: readonly string[]
  readonly criteria: readonly string[]
  readonly evidence: readonly string[]
  /** Reviewers' complaints on the way here. */
  readonly findings: readonly string[]
  readonly rounds: { readonly review: number; readonly audit: number; readonly person: number }
  /** Decisions of people so far. */
  readonly decisions: number
}

const TITLE_CHARACTERS_MAX = 100

/** Everything that waits for a person's review, the longest waiting first. */
export async function waitingReviews(store: Store, rules: ReviewRules): Promise<WaitingReview[]> {
  const tasks = await store.query({ type: 'task', status: 'review' })
  const found = await Promise.all(tasks.map((task) => reviewOf(store, rules, task)))
  return found.filter((review) => review !== undefined)
}

async function reviewOf(store: Store, rules: ReviewRules, task: Case): Promise<WaitingReview | undefined> {
  const read = readDelivery(task)
  if (read.kind === 'unreadable' || read.delivery.state !== 'person-review') return undefined
  const { commit, rounds, hadStop } = read.delivery
  if (commit === null) return undefined
  const { execution, acceptanceCriteria = [] } = taskMetadata(task.metadata)
  const [notes, decisions] = await Promise.all([readNotes(store, task), reviewsOf(store, task)])
  const passage = { iterations: execution?.iterations ?? 0, checksGreen: true, hadStop }
  const changes = execution?.codeChanges
  return {
    id: task.id,
    title: (task.content.split('\n')[0] ?? '').slice(0, TITLE_CHARACTERS_MAX),
    commit,
    part: personsPart(task.tags ?? [], passage, rules) === 'together' ? 'together' : 'alone',
    iterations: passage.iterations,
    changes: changes
      ? { files: changes.filesChanged, added: changes.linesAdded, removed: changes.linesRemoved }
      : null,
    flagged: flaggedOf(task),
    criteria: acceptanceCriteria,
    evidence: notes
      .filter(({ kind, commit: at }) => kind === 'evidence' && at === commit)
      .map(({ text }) => text),
    findings: notes.filter(({ kind }) => kind === undefined).map(findingLine),
    rounds: { review: rounds.review, audit: rounds.audit, person: rounds.person },
    decisions: decisions.length,
  }
}

function flaggedOf({ metadata }: Case): string[] {
  const { run } = metadata as { readonly run?: { readonly flagged?: unknown } }
  if (!Array.isArray(run?.flagged)) return []
  return run.flagged.map((edit: unknown) => (typeof edit === 'string' ? edit : JSON.stringify(edit)))
}
