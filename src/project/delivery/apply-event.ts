import type { Case, CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Metadata } from '../../cases/metadata.ts'
import { findingsText } from '../../delivery/advance.ts'
import { type DeliveryDecision, decideDelivery, type RefusalReason } from '../../delivery/decide-delivery.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import { type DeliveryState, readDelivery } from '../../delivery/delivery-state.ts'
import { TRAITS } from '../../delivery/delivery-traits.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import type { ReviewFinding } from '../../delivery/review-contract.ts'
import { Failure } from '../../platform/failure.ts'
import type { CaseRecord, Store, Transaction } from '../../store/store.ts'
import { PROJECT_KEY, type ReadProject, readProject } from '../document.ts'
import { retryStale, STALE } from '../retry-stale.ts'
import type { EventContext } from './event-context.ts'
import { leadRepair, needsProject } from './lead-repair.ts'

/** A delivery event about a task, and what is committed together with its result. */
export interface Word {
  readonly about: CaseId
  readonly occurrence: Occurrence
  /** The result of AXIOM's own run of the required checks, where it ran them. */
  readonly checksGreen?: boolean
  /** The asker's own default, and how long its question waits before the default applies. */
  readonly question?: { readonly fallback: string | null; readonly ms: number }
  /** Merged into the task's metadata in the same commit. */
  readonly metadata?: Metadata
  /** Further commands of the same commit, after those of the event. */
  readonly commands?: readonly CaseCommand[]
}

export type EventAnswer =
  | {
      readonly kind: 'moved'
      readonly task: Case
      readonly delivery: DeliveryState
    }
  | {
      readonly kind: 'refused'
      readonly reason: RefusalReason | 'no-task' | 'unreadable'
      readonly message: string
    }
  | { readonly kind: 'fence-lost' }

/**
 * The only way in which an event changes a task's delivery: decided by delivery, then committed as a whole,
 * or refused and logged.
 */
export function applyEvent(store: Store, world: EventContext, word: Word): Promise<EventAnswer> {
  return retryStale(word.about, () => tryWord(store, world, word))
}

async function tryWord(store: Store, world: EventContext, word: Word): Promise<EventAnswer | typeof STALE> {
  const { about, occurrence } = word
  const [task] = await store.query({ ids: [about] })
  if (task?.type !== 'task') return refuse(world, word, 'no-task', `${about} is no task`)
  const read = readDelivery(task)
  if (read.kind === 'unreadable') return refuse(world, word, 'unreadable', read.reason)
  const before = read.delivery
  const standing = needsProject(before, occurrence) ? await readProject(store) : undefined
  const context = await contextOf(store, world, word, task, before, standing)
  const now = await store.now()
  const decision = decideDelivery(before, occurrence, context, now)
  if (decision.kind === 'refused') {
    if (decision.reason === 'stale-fence') return { kind: 'fence-lost' }
    return refuse(world, word, decision.reason, decision.message)
  }
  const { delivery } = decision
  const transaction = await transactionOf(store, word, task, before, decision)
  const documents = standing && leadRepair(standing, about, delivery, now)
  const answer = await store.transact({
    ...transaction,
    expect: { [about]: task.rev },
    ...(documents ? { documents: [{ key: PROJECT_KEY, ...documents }] } : {}),
  })
  switch (answer.kind) {
    case 'committed':
      return { kind: 'moved', task: answer.cases.find(({ id }) => id === about) ?? task, delivery }
    case 'stale':
      return STALE
    case 'refused':
      if (answer.code === 'StaleClaim') return { kind: 'fence-lost' }
      throw new Failure('STORE_REFUSED', `${occurrence.signal} about ${about}: ${answer.message}`, {
        hint: answer.hint,
      })
  }
}

async function contextOf(
  store: Store,
  world: EventContext,
  { occurrence, checksGreen = true, question }: Word,
  task: CaseRecord,
  delivery: DeliveryState,
  standing: ReadProject | undefined,
): Promise<DeliveryContext> {
  const isComplaint = occurrence.said !== null && delivery.commit !== null
  const [changedLines, findings, experts, fallback, draftParent] = await Promise.all([
    isComplaint && delivery.commit !== null ? world.changedLines(task, delivery.commit) : {},
    findingsOf(store, delivery),
    world.experts(task),
    world.standingAnswer(task, occurrence),
    occurrence.said === null ? null : directiveOf(store, task),
  ])
  const leader = standing?.project.repairLedBy ?? null
  return {
    task,
    limits: world.limits,
    changedLines,
    findings,
    experts,
    repairLedBy: leader === task.id ? null : leader,
    checksGreen,
    draftParent,
    fallback: fallback?.text ?? question?.fallback ?? null,
    ...(question ? { questionMs: question.ms } : {}),
    isStanding: fallback?.isStanding ?? false,
  }
}

async function findingsOf(store: Store, { findings }: DeliveryState): Promise<readonly ReviewFinding[]> {
  if (findings === null) return []
  const bytes = await store.getBlob(findings)
  if (bytes === undefined) return []
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as ReviewFinding[]
}

/**
 * The directive that the task serves: drafts from reviewers' remarks beyond the task are created under it.
 */
async function directiveOf(store: Store, task: Case): Promise<CaseId | null> {
  let parentId = task.parentId
  while (parentId !== null) {
    const [parent]: readonly Case[] = await store.query({ ids: [parentId] })
    if (parent === undefined) return null
    if (parent.type === 'directive') return parent.id
    parentId = parent.parentId
  }
  return null
}

async function transactionOf(
  store: Store,
  word: Word,
  task: CaseRecord,
  before: DeliveryState,
  { delivery, findings, commands }: Extract<DeliveryDecision, { kind: 'moved' }>,
): Promise<Transaction> {
  const { occurrence } = word
  if (delivery.findings !== null && delivery.findings !== before.findings)
    await store.putBlob(Buffer.from(findingsText(findings)))
  const metadata = { ...(await keptWords(store, task, occurrence)), ...word.metadata }
  const under = occurrence.fence === null ? {} : { fence: occurrence.fence }
  const reason = `${occurrence.signal} by ${occurrence.agent}`
  const update: readonly CaseCommand[] =
    Object.keys(metadata).length === 0 ? [] : [{ kind: 'update', id: task.id, metadata, reason, ...under }]
  return {
    // A move may end the lease, so commands that need its fence come first.
    commands: [
      ...update,
      ...commands,
      ...(await answersTo(store, task, before, delivery, occurrence)),
      ...(word.commands ?? []),
    ],
    by: occurrence.agent,
    key: `word/${task.uid}/${occurrence.id}`,
  }
}

/** The last signals of each role, in full: the next agent's prompt is made from them. */
async function keptWords(store: Store, task: Case, { said, sender, commit }: Occurrence): Promise<Metadata> {
  if (said === null || said.name === 'PROGRESS' || said.name === 'CHECKPOINT') return {}
  const digest = await store.putBlob(Buffer.from(JSON.stringify(said)))
  const words = (task.metadata.words ?? {}) as Metadata
  return { words: { ...words, [sender]: { signal: said.name, digest, commit } } }
}

/** A task that continues needs no answer any more: its open questions are closed with the decision. */
async function answersTo(
  store: Store,
  task: Case,
  before: DeliveryState,
  after: DeliveryState,
  { signal, text }: Occurrence,
): Promise<CaseCommand[]> {
  if (!TRAITS[before.state].hasQuestion || after.state === 'halted') return []
  if (after.state === before.state) return remindersOf(store, task, after)
  const answer = text ?? (signal === 'WAIT_ENDED' ? before.wait?.fallback : null) ?? signal.toLowerCase()
  const questions = await openQuestions(store, task)
  return questions.flatMap(({ id, status }): CaseCommand[] => [
    { kind: 'update', id, metadata: { decision: answer }, reason: `answered: ${signal}` },
    ...(status === 'blocked' ? [{ kind: 'move', id, status: 'pending', reason: 'answered' } as const] : []),
    { kind: 'complete', id, result: answer },
  ])
}

/** Asked again: the question shows the new end of the wait. */
async function remindersOf(store: Store, task: Case, { wait }: DeliveryState): Promise<CaseCommand[]> {
  if (wait === null) return []
  return (await openQuestions(store, task)).map(({ id }) => ({
    kind: 'update',
    id,
    metadata: { deadline: wait.until },
    reason: 'asked again',
  }))
}

async function openQuestions(store: Store, { id, parentId }: Case): Promise<readonly CaseRecord[]> {
  const questions = await store.query({ type: 'pending', parentId })
  return questions.filter(({ metadata, status }) => metadata.waitingTask === id && status !== 'done')
}

async function refuse(
  world: EventContext,
  { about, occurrence }: Word,
  reason: Extract<EventAnswer, { kind: 'refused' }>['reason'],
  message: string,
): Promise<EventAnswer> {
  const { id, agent, sender, signal } = occurrence
  await world.logRefusal(
    JSON.stringify({ level: 'warn', code: reason, id, agent, sender, task: about, signal, message }),
  )
  return { kind: 'refused', reason, message }
}
