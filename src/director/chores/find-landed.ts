import { entriesIn } from '../land/choose-landings.ts'
import { tellLanding } from '../land/land.ts'
import { type Chore, isWanted } from './chore.ts'

const NAME = 'find-landed'

/**
 * Git decides what has landed: a commit on the target has, also when the director died before it recorded
 * that.
 */
export const findLanded: Chore = {
  name: NAME,
  isWantedAtStart: true,
  isDue: (snapshot) => isWanted(snapshot, NAME) && snapshot.view.countIn('integrating') > 0,
  async run(desk) {
    const { means } = desk
    const entries = entriesIn(desk.snapshot())
    const found = await means.hands.findLanded(entries)
    for (const entry of entries) {
      const commit = found.get(entry.task)
      if (commit !== undefined)
        await tellLanding(means, entry, { kind: 'landed', commit, alreadyThere: true })
    }
    if (found.size > 0) desk.want('publish', 'clean-workspaces')
  },
}
