import type { CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Entry } from '../../integration/entry.ts'
import { landingMetadata, lastLanding } from '../../integration/landing-record.ts'
import type { Publication } from '../../integration/publish-target.ts'
import type { LeaseKey } from '../../store/store.ts'
import type { Means } from '../means.ts'
import { changeProject, readProject } from '../project-document.ts'
import type { Desk } from './carry-out.ts'
import { LEASE_MS } from './claim-task.ts'
import { tellLanding } from './land.ts'
import { dropMatters, raiseMatter } from './raise-matter.ts'

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
export async function takeInUsers(desk: Desk): Promise<void> {
  const { means } = desk
  const { project } = await readProject(means.store)
  const { intake, user } = await means.hands.takeIn({ seenBefore: project.seenUserCommit })
  const commit = user ?? ''
  switch (intake.kind) {
    case 'nothing-new':
    case 'taken-in':
      if (user === null) return
      await dropMatters(desk, 'user-rewritten', 'user-conflict', 'user-red')
      if (user !== project.seenUserCommit)
        await changeProject(means.store, 'director', (now) => ({ ...now, seenUserCommit: user }))
      return
    case 'target-moved':
      return
    case 'rewritten': {
      const context = `${intake.seenBefore} is no longer in your branch, which is at ${commit}.`
      return raiseMatter(desk, { kind: 'user-rewritten', name: commit, commit, context })
    }
    case 'conflict': {
      const files = intake.conflict.files.map(({ path }) => path)
      const context = `Your branch is at ${commit}, the target at ${intake.target}. In conflict: ${files.join(', ')}.`
      return raiseMatter(desk, { kind: 'user-conflict', name: `${commit}/${intake.target}`, commit, context })
    }
    case 'unrelated': {
      const context = `Your branch at ${commit} has no history in common with the target.`
      return raiseMatter(desk, { kind: 'user-conflict', name: commit, commit, context })
    }
    case 'rejected': {
      const context = `Your branch is at ${commit}. The checks said:\n${intake.feedback ?? intake.evidence}`
      return raiseMatter(desk, { kind: 'user-red', name: intake.commit, commit, context })
    }
  }
}

/** To the user's branch. If he has commits of his own, they are taken in first; then it is tried once more. */
export async function publishToUser(desk: Desk): Promise<Publication> {
  const landed = desk.scene().view.unpublished()
  const publication = await publish(desk)
  // What had landed before the branch was brought up is on it, whatever lands meanwhile.
  if (HAS_IT_ALL.includes(publication.kind)) await markPublished(desk.means, landed)
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

async function publish(desk: Desk): Promise<Publication> {
  const { hands } = desk.means
  const first = await hands.publish()
  // Where others land, what he has not pushed yet is his own affair.
  const isHis = first.kind === 'ahead' || first.kind === 'diverged'
  if (!isHis || hands.follow) return told(desk, first)
  await takeInUsers(desk)
  return told(desk, await hands.publish())
}

async function told(desk: Desk, publication: Publication): Promise<Publication> {
  if (publication.kind === 'refused') {
    const { workTree, files, said, command } = publication
    const context = [said.trim(), ...files, `When you are ready: ${command}`].join('\n')
    await raiseMatter(desk, {
      kind: 'publish-refused',
      name: [workTree ?? '', ...(files.length > 0 ? files : [said])].join('\n').slice(0, NAME_CHARACTERS_MAX),
      context,
    })
  } else if (publication.kind === 'missing')
    await raiseMatter(desk, {
      kind: 'target-deleted',
      name: 'deleted',
      context: `By hand: ${publication.command}`,
    })
  else await dropMatters(desk, 'publish-refused', 'target-deleted')
  return publication
}

const NAME_CHARACTERS_MAX = 500
