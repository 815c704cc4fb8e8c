import type { Entry } from '../../integration/entry.ts'
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
