import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Actor, Case, CaseId } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { type PersonsReview, REVIEWS_KEPT_MAX, wordsOf } from '../../delivery/persons-review.ts'
import { writeFileAtomically } from '../../platform/files/write-file-atomically.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import { applyEvent } from '../delivery/apply-event.ts'
import type { EventContext } from '../delivery/event-context.ts'
import { personEvent } from '../delivery/make-event.ts'
import { REWORK_KEY, type Rework } from '../rework-wish.ts'
import { type Refused, refuse } from './outcome.ts'

export { QUICK_ISSUES } from '../../delivery/persons-review.ts'

export type ReviewRequest = Pick<PersonsReview, 'decision' | 'issues' | 'text' | 'option' | 'hint'> & {
  readonly id: CaseId
  readonly by: Actor
  /** The commit to continue from, with the option `checkpoint`; the previously submitted one when absent. */
  readonly from?: string
}

export interface Reviewed {
  readonly kind: 'reviewed'
  readonly task: CaseId
  readonly decision: PersonsReview['decision']
  readonly commit: string
  /** The delivery state of the task now. */
  readonly state: string
}

/** The digest of all decisions of people about a task. */
const FEEDBACK_KEY = 'feedback'
const LOOK = '"axiom review" lists what waits for a look'

/** A person's decision about a change that passed critic and auditor; no running director is needed. */
export async function reviewTask(
  store: Store,
  world: EventContext,
  projectFolder: string,
  request: ReviewRequest,
): Promise<Reviewed | Refused> {
  const { id, by, decision } = request
  const [task] = await store.query({ ids: [id] })
  const read = task && readDelivery(task)
  if (!task || read?.kind !== 'read' || read.delivery.state !== 'person-review')
    return refuse('NOTHING_TO_REVIEW', `${id} does not wait for a person's look`, LOOK)
  const { commit } = read.delivery
  if (commit === null) return refuse('NOTHING_TO_REVIEW', `${id} has no commit under review`, LOOK)
  const words = wordsOf(request)
  if (decision === 'changes' && words === '')
    return refuse('REVIEW_NO_WORDS', `${id} cannot be sent back without a word`, 'say why: --note or --issue')
  const rework = decision === 'changes' ? await reworkOf(store, task, request) : null
  if (rework !== null && 'kind' in rework) return rework
  const entry = await entryOf(store, task, request, commit)
  const all = [...(await reviewsOf(store, task)), entry].slice(-REVIEWS_KEPT_MAX)
  const feedback = await store.putBlob(Buffer.from(JSON.stringify(all)))
  const signal = decision === 'approve' ? 'APPROVED' : 'CHANGES_REQUESTED'
  const answer = await applyEvent(store, world, {
    about: id,
    occurrence: personEvent(id, signal, {
      id: `review/${task.uid}/${task.rev}`,
      by,
      commit,
      ...(words === '' ? {} : { text: words }),
    }),
    metadata: { [FEEDBACK_KEY]: feedback, ...(rework === null ? {} : { [REWORK_KEY]: rework }) },
  })
  if (answer.kind !== 'moved')
    return refuse('NOTHING_TO_REVIEW', `${id} was decided about at the same moment`, LOOK)
  await writeFeedback(projectFolder, id, all)
  return { kind: 'reviewed', task: id, decision, commit, state: answer.delivery.state }
}

async function entryOf(
  store: Store,
  task: Case,
  { by, decision, issues, text, option, hint }: ReviewRequest,
  commit: string,
): Promise<PersonsReview> {
  return {
    iteration: taskMetadata(task.metadata).execution?.iterations ?? 0,
    time: await store.now(),
    by,
    commit,
    decision,
    issues,
    text,
    option: decision === 'changes' ? (option ?? 'keep') : null,
    hint,
  }
}

/** All decisions of people about a task, the oldest first. */
export async function reviewsOf(store: Store, task: CaseRecord | Case): Promise<readonly PersonsReview[]> {
  const digest = task.metadata[FEEDBACK_KEY]
  const bytes = typeof digest === 'string' ? await store.getBlob(digest) : undefined
  return bytes === undefined ? [] : (JSON.parse(Buffer.from(bytes).toString('utf8')) as PersonsReview[])
}

/** `keep` needs nothing; the others say from which commit a new workspace starts. */
async function reworkOf(
  store: Store,
  task: Case,
  { option, from }: ReviewRequest,
): Promise<Rework | Refused | null> {
  if (option === 'fresh') return { option: 'fresh', commit: null, at: await store.now() }
  if (option !== 'checkpoint') return null
  const read = readDelivery(task)
  const verdicts = read.kind === 'read' ? read.delivery.verdicts : []
  const current = read.kind === 'read' ? read.delivery.commit : null
  const earlier = verdicts.flatMap(({ commit }) => (commit === null || commit === current ? [] : [commit]))
  const commit = from ?? earlier.at(-1)
  if (commit === undefined)
    return refuse(
      'REVIEW_NO_CHECKPOINT',
      `${task.id} has handed in nothing before this commit`,
      'name a commit with --from, or take --option fresh',
    )
  return { option: 'checkpoint', commit, at: await store.now() }
}

/** A view for people and scripts; what it shows is kept in the store. */
async function writeFeedback(
  projectFolder: string,
  task: CaseId,
  reviews: readonly PersonsReview[],
): Promise<void> {
  const folder = join(projectFolder, 'feedback')
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(join(folder, `${task}.json`), `${JSON.stringify(reviews, undefined, 2)}\n`)
}
