import type { Entry } from '../../integration/entry.ts'
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

function tell({ notify }: Means, code: string, message: string, command?: string): void {
  notify({ code, severity: 'high', message: command === undefined ? message : `${message}\n  ${command}` })
}
