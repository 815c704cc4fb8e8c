import type { CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Entry } from '../../integration/entry.ts'
import { landingMetadata, lastLanding } from '../../integration/landing-record.ts'
import type { Publication } from '../../integration/publish-target.ts'
import type { LeaseKey } from '../../store/store.ts'
import type { Means } from '../means.ts'
import { changeProject, readProject } from '../project-document.ts'
import { LEASE_MS } from './claim-task.ts'
import { tellLanding } from './land.ts'

/** Extends what this director's agents and tasks hold; returns what was lost. */
export async function renewLeases(
  { store }: Means,
  leases: readonly LeaseKey[],
): Promise<readonly LeaseKey[]> {
  return leases.length === 0 ? [] : store.renew(leases, LEASE_MS)
}

/** Git is the truth about code: what lies on the target is done, though nobody lived to say so. */
export async function tellFound(means: Means, entries: readonly Entry[]): Promise<number> {
  const found = await means.hands.findLanded(entries)
  for (const entry of entries) {
    const commit = found.get(entry.task)
    if (commit !== undefined) await tellLanding(means, entry, { kind: 'landed', commit, alreadyThere: true })
  }
  return found.size
}

/** The user's own commits, if he made any. */
export async function takeInUsers(means: Means): Promise<void> {
  const { project } = await readProject(means.store)
  const { intake, user } = await means.hands.takeIn({ seenBefore: project.seenUserCommit })
  switch (intake.kind) {
    case 'nothing-new':
    case 'taken-in':
      if (user !== null && user !== project.seenUserCommit)
        await changeProject(means.store, 'director', (now) => ({ ...now, seenUserCommit: user }))
      return
    case 'target-moved':
      return
    case 'rewritten':
      return tell(
        means,
        'REMOTE_FORCE_PUSH',
        `your branch was rewritten: ${intake.seenBefore} is no longer in it`,
      )
    case 'conflict':
      return tell(means, 'USER_COMMITS_CONFLICT', 'your commits conflict with what has landed')
    case 'unrelated':
      return tell(means, 'USER_COMMITS_CONFLICT', 'your branch has no history in common with the target')
    case 'rejected':
      return tell(
        means,
        'USER_COMMITS_RED',
        `your commits are red on the target:\n${intake.evidence.slice(0, 2_000)}`,
      )
  }
}

/** To the user's branch. If he has commits of his own, they are taken in first; then it is tried once more. */
export async function publishToUser(means: Means, landed: readonly CaseId[]): Promise<Publication> {
  const publication = await publish(means)
  // What had landed before the branch was brought up is on it, whatever lands meanwhile.
  if (HAS_IT_ALL.includes(publication.kind)) await markPublished(means, landed)
  return publication
}

const HAS_IT_ALL: readonly Publication['kind'][] = ['published', 'same', 'ahead']
const MARKED_AT_ONCE_MAX = 500

async function markPublished({ store }: Means, ids: readonly CaseId[]): Promise<void> {
  const tasks = ids.length === 0 ? [] : await store.query({ ids: ids.slice(0, MARKED_AT_ONCE_MAX) })
  const commands = tasks.flatMap((task): CaseCommand[] => {
    const record = lastLanding(task)
    if (!record?.landed || record.landed.published) return []
    const metadata = landingMetadata({ ...record, landed: { ...record.landed, published: true } })
    return [{ kind: 'update', id: task.id, metadata, reason: 'on your branch' }]
  })
  if (commands.length > 0) await store.transact({ commands, by: 'director' })
}

async function publish(means: Means): Promise<Publication> {
  const first = await means.hands.publish()
  // Where others land, what he has not pushed yet is his own affair.
  const isHis = first.kind === 'ahead' || first.kind === 'diverged'
  if (!isHis || means.hands.follow) return told(means, first)
  await takeInUsers(means)
  return told(means, await means.hands.publish())
}

function told(means: Means, publication: Publication): Publication {
  if (publication.kind === 'refused')
    tell(
      means,
      'PUBLISH_REFUSED',
      `your branch was left as it is: ${publication.said.trim()}`,
      publication.command,
    )
  if (publication.kind === 'missing')
    tell(means, 'PUBLISH_REFUSED', 'your branch is gone; what has landed is safe', publication.command)
  return publication
}

function tell({ notify }: Means, code: string, message: string, command?: string): void {
  notify({ code, severity: 'high', message: command === undefined ? message : `${message}\n  ${command}` })
}
