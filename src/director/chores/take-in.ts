import { changeProject, readProject } from '../../project/document.ts'
import type { Desk } from '../context.ts'
import { offeredIn } from '../land/choose-landings.ts'
import { followOffered } from '../land/remote/follow-offered.ts'
import { dropQuestions, hasOpenQuestion, raiseQuestion } from '../questions/raise-question.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Chore, hasPassed, isWanted, lastRunMs } from './chore.ts'

const NAME = 'take-in'
const EVERY_MS = 30_000
/** In remote mode a merge that work waits for should be seen soon. */
const FOLLOW_EVERY_MS = 5_000

/** Takes in commits by others: the user's on the branch, or the remote's where work lands there. */
export const takeIn: Chore = {
  name: NAME,
  isDue: (snapshot) =>
    snapshot.leaving === 'no' && (isWanted(snapshot, NAME) || hasPassed(snapshot, NAME, everyMs(snapshot))),
  nextAt: (snapshot) => lastRunMs(snapshot, NAME) + everyMs(snapshot),
  async run(desk) {
    // Edits of a spec are picked up as often as the user's commits.
    desk.want('write-spec-progress')
    await (desk.means.hands.follow ? followOffered(desk) : takeInUsers(desk))
    // What blocked the publication may have gone without a notification.
    if (hasOpenQuestion(desk.snapshot(), 'publish-refused')) desk.want('publish')
  },
}

/** How often the user's branch, or the remote, is checked. */
function everyMs(snapshot: Snapshot): number {
  const { rules, memory } = snapshot
  if (rules.mode === 'direct') return EVERY_MS
  return memory.remoteTarget === null || offeredIn(snapshot).length > 0 ? FOLLOW_EVERY_MS : EVERY_MS
}

/** Takes in the user's commits on the branch. */
export async function takeInUsers(desk: Desk): Promise<void> {
  const { means } = desk
  const { project } = await readProject(means.store)
  const { intake, user } = await means.hands.takeIn({ seenBefore: project.seenUserCommit })
  const commit = user ?? ''
  switch (intake.kind) {
    case 'nothing-new':
    case 'taken-in':
      if (user === null) return
      await dropQuestions(desk, 'user-rewritten', 'user-conflict', 'user-red')
      if (user !== project.seenUserCommit)
        await changeProject(means.store, 'director', (now) => ({ ...now, seenUserCommit: user }))
      return
    case 'target-moved':
      return
    case 'rewritten': {
      const context = `${intake.seenBefore} is no longer in your branch, which is at ${commit}.`
      return raiseQuestion(desk, { kind: 'user-rewritten', name: commit, commit, context })
    }
    case 'conflict': {
      const files = intake.conflict.files.map(({ path }) => path)
      const context = `Your branch is at ${commit}, the target at ${intake.target}. In conflict: ${files.join(', ')}.`
      return raiseQuestion(desk, {
        kind: 'user-conflict',
        name: `${commit}/${intake.target}`,
        commit,
        context,
      })
    }
    case 'unrelated': {
      const context = `Your branch at ${commit} has no history in common with the target.`
      return raiseQuestion(desk, { kind: 'user-conflict', name: commit, commit, context })
    }
    case 'rejected': {
      const context = `Your branch is at ${commit}. The checks said:\n${intake.feedback ?? intake.evidence}`
      return raiseQuestion(desk, { kind: 'user-red', name: intake.commit, commit, context })
    }
  }
}
