import type { Case } from '../../../cases/case.ts'
import { readDelivery } from '../../../delivery/delivery-state.ts'
import {
  type ConflictRecord,
  type LandingRecord,
  landingMetadata,
  readLanding,
} from '../../../integration/landing-record.ts'
import { applyEvent } from '../../../project/delivery/apply-event.ts'
import { directorEvent } from '../../../project/delivery/make-event.ts'
import { spawnAgent } from '../../../runs/spawn-agent.ts'
import type { Means } from '../../context.ts'
import { countFailure } from '../../develop/count-failure.ts'
import type { AskPerson } from '../../effect.ts'
import type { Rules } from '../../snapshot.ts'
import { lastAnswer, putOff } from '../follow-answer.ts'
import { referPush } from '../remote/ask-person.ts'

const MINUTE_MS = 60_000
const REASON_CHARACTERS_MAX = 1_000

interface Standing {
  readonly task: Case
  readonly commit: string
  readonly record: LandingRecord
  readonly conflict: ConflictRecord
}

/**
 * Asks a person about a conflict, with a workspace to settle it in; or follows the answer, given or by
 * default.
 */
export async function carryOutAskPerson(
  means: Means,
  { escalation }: Rules,
  refer: AskPerson,
): Promise<void> {
  const standing = await readEffectiveDelivery(means, refer)
  if (!standing) return referPush(means, escalation, refer.task)
  if (!standing.conflict.asked) return ask(means, escalation, refer, standing)
  const answer = await lastAnswer(means, standing.task)
  switch (answer.toLowerCase()) {
    case 'resolved':
      return adopt(means, escalation, refer, standing)
    case 'skip':
      return giveBack(means, standing)
    case 'defer':
      return putOff(means, standing.task, 'its conflict was not settled')
    default:
      // A retry, or guidance for the resolver, which reads the answer in its prompt.
      return keep(means, standing, {
        conflict: { ...standing.conflict, level: 'MEDIUM', tries: 0, asked: false },
      })
  }
}

async function readEffectiveDelivery(
  { store }: Means,
  { task: id }: AskPerson,
): Promise<Standing | undefined> {
  const [task] = await store.query({ ids: [id] })
  const read = task && readDelivery(task)
  if (!task || read?.kind !== 'read' || read.delivery.state !== 'integrating') return undefined
  const { commit } = read.delivery
  const record = commit === null ? undefined : readLanding(task, commit)
  return commit !== null && record?.conflict ? { task, commit, record, conflict: record.conflict } : undefined
}

async function ask(
  means: Means,
  { minutes, action }: Rules['escalation'],
  { entry }: AskPerson,
  { task, record, conflict }: Standing,
  faults: readonly string[] = [],
): Promise<void> {
  const workspace = conflict.workspace ?? (await layOut(means, task, entry, conflict.target))
  const text = [
    `In conflict with the target at ${conflict.target}: ${conflict.files.join(', ')}.`,
    conflict.reason ?? '',
    workspace ? `The merge is laid out in ${workspace}: settle it there, commit, and answer "resolved".` : '',
    ...faults,
  ]
  const occurrence = directorEvent(task.id, 'CONFLICTED', `conflicted/${task.rev}`, {
    text: text.filter((line) => line !== '').join('\n'),
  })
  const asked = { ...conflict, workspace: workspace ?? null, asked: true }
  await applyEvent(means.store, means.words, {
    about: task.id,
    occurrence,
    metadata: landingMetadata({ ...record, conflict: asked }),
    question: { fallback: action === 'notify' ? null : action, ms: minutes * MINUTE_MS },
  })
}

async function layOut(
  { hands, store, vocabulary }: Means,
  task: Case,
  entry: AskPerson['entry'],
  target: string,
): Promise<string | undefined> {
  if (!hands.byHand) return undefined
  const agent = await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'rex')
  return hands.byHand.layOut({ agent, task, entry, target })
}

async function adopt(
  means: Means,
  escalation: Rules['escalation'],
  refer: AskPerson,
  standing: Standing,
): Promise<void> {
  const { task, conflict } = standing
  const { workspace, target } = conflict
  const judged = workspace
    ? await means.hands.byHand?.judge({ task, entry: refer.entry, target, workspace })
    : undefined
  if (judged?.kind === 'sound')
    return keep(means, standing, { conflict: null, resolution: { commit: judged.commit, by: 'user' } })
  const faults = judged?.faults ?? ['There is no workspace in which it could have been settled.']
  return ask(means, escalation, refer, standing, faults)
}

/**
 * Returns the task to its developer, with the target's objects available, so that it can merge them itself.
 */
async function giveBack(means: Means, { task, commit, conflict }: Standing): Promise<void> {
  const text = `It conflicts with the target at ${conflict.target}, in: ${conflict.files.join(', ')}. Merge that commit into your branch (\`git merge ${conflict.target}\`) and settle it there.`
  const occurrence = directorEvent(task.id, 'LANDING_FAILED', `skipped/${task.rev}`, { commit, text })
  await countFailure(means, await applyEvent(means.store, means.words, { about: task.id, occurrence }))
}

async function keep(
  { store }: Means,
  { task, record }: Standing,
  change: Partial<LandingRecord>,
): Promise<void> {
  const reason = change.resolution ? 'its conflict is settled' : 'its conflict is tried again'
  const metadata = landingMetadata({ ...record, ...change })
  await store.transact({
    commands: [{ kind: 'update', id: task.id, metadata, reason: reason.slice(0, REASON_CHARACTERS_MAX) }],
    by: 'director',
    expect: { [task.id]: task.rev },
  })
}
