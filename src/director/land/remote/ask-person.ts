import type { CaseId } from '../../../cases/case.ts'
import { readDelivery } from '../../../delivery/delivery-state.ts'
import { landingMetadata, readLanding, type StuckRecord } from '../../../integration/landing-record.ts'
import { applyEvent } from '../../../project/delivery/apply-event.ts'
import { directorEvent } from '../../../project/delivery/make-event.ts'
import type { Means } from '../../context.ts'
import { countFailure } from '../../develop/count-failure.ts'
import type { Rules } from '../../snapshot.ts'
import { lastAnswer, putOff } from '../follow-answer.ts'

const MINUTE_MS = 60_000

/** What each configured action means for a branch that the remote does not land. */
const FALLBACK: Readonly<Record<Rules['escalation']['action'], string | null>> = {
  defer: 'defer',
  skip: 'rework',
  retry: 'retry',
  notify: null,
}

/** Asks a person about a branch that the remote rejected or closed, or follows the answer. */
export async function referPush(means: Means, escalation: Rules['escalation'], id: CaseId): Promise<void> {
  const [task] = await means.store.query({ ids: [id] })
  const read = task && readDelivery(task)
  if (!task || read?.kind !== 'read' || read.delivery.state !== 'integrating') return
  const { commit } = read.delivery
  const record = commit === null ? undefined : readLanding(task, commit)
  if (commit === null || !record?.stuck) return
  const { stuck } = record
  if (!stuck.asked) {
    const occurrence = directorEvent(id, 'PUSH_STUCK', `push-stuck/${task.rev}`, { text: wordsOf(stuck) })
    await applyEvent(means.store, means.words, {
      about: id,
      occurrence,
      metadata: landingMetadata({ ...record, stuck: { ...stuck, asked: true } }),
      question: { fallback: FALLBACK[escalation.action], ms: escalation.minutes * MINUTE_MS },
    })
    return
  }
  const answer = await lastAnswer(means, task)
  const [first = ''] = answer.toLowerCase().split(/\W+/, 1)
  if (first === 'defer') return putOff(means, task, `${stuck.branch} did not land`)
  if (first === 'retry') {
    const reason = `${stuck.branch} is pushed again`
    // Nothing of the earlier offer is valid: the branch may be gone, or may belong to another user now.
    const metadata = landingMetadata({ ...record, pushed: null, stuck: null })
    await means.store.transact({
      commands: [{ kind: 'update', id, metadata, reason }],
      by: 'director',
      expect: { [id]: task.rev },
    })
    return
  }
  const text = `${wordsOf(stuck)}\n${first === 'rework' ? '' : answer}`.trim()
  const occurrence = directorEvent(id, 'LANDING_FAILED', `push-rework/${task.rev}`, { commit, text })
  await countFailure(means, await applyEvent(means.store, means.words, { about: id, occurrence }))
}

function wordsOf({ reason, branch, said }: StuckRecord): string {
  switch (reason) {
    case 'push-declined':
      return `The remote refused ${branch}:\n${said}`
    case 'branch-taken':
      return `${branch} has commits of somebody else, and they are not overwritten: ${said}`
    case 'closed':
      return `${said}. It was closed without a merge.`
  }
}
