import type { CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { landingMetadata, lastLanding } from '../../integration/landing-record.ts'
import type { Publication } from '../../integration/publish-target.ts'
import type { Desk, Means } from '../context.ts'
import { dropQuestions, raiseQuestion } from '../questions/raise-question.ts'
import { type Chore, isWanted } from './chore.ts'
import { takeInUsers } from './take-in.ts'

/** Tasks marked in one commit. */
const MARKED_MAX = 200
const NAME_CHARACTERS_MAX = 500

const NAME = 'publish'

/** Brings the target of record to the user's branch. The user's own commits are taken in first. */
export const publish: Chore = {
  name: NAME,
  isWantedAtStart: true,
  isDue: (snapshot) =>
    isWanted(snapshot, NAME) && !snapshot.atWork.has('land') && !snapshot.atWork.has('take-in'),
  run: publishToUser,
}

async function publishToUser(desk: Desk): Promise<void> {
  const { means } = desk
  // A task that lands from here on may miss this publication.
  const landed = [...desk.snapshot().view.unpublished]
  const publication = await publishOnce(desk)
  await tell(desk, publication)
  if (hasAll(publication)) await markPublished(means, landed)
}

async function publishOnce(desk: Desk): Promise<Publication> {
  const { hands } = desk.means
  const first = await hands.publish()
  // In remote mode, commits that the user has not pushed are not taken in.
  const isHis = first.kind === 'ahead' || first.kind === 'diverged'
  if (!isHis || hands.follow) return first
  await takeInUsers(desk)
  return hands.publish()
}

/** Whether the user's branch has everything that was on the target. */
function hasAll({ kind }: Publication): boolean {
  return kind === 'same' || kind === 'published' || kind === 'ahead'
}

async function markPublished({ store }: Means, ids: readonly CaseId[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MARKED_MAX) {
    const tasks = await store.query({ ids: ids.slice(from, from + MARKED_MAX) })
    const commands = tasks.flatMap((task): CaseCommand[] => {
      const record = lastLanding(task)
      if (!record?.landed || record.landed.published) return []
      const metadata = landingMetadata({ ...record, landed: { ...record.landed, published: true } })
      return [{ kind: 'update', id: task.id, metadata, reason: 'it is on your branch, too' }]
    })
    if (commands.length === 0) continue
    // If one of them changed in the meantime, all are marked next time.
    const expect = Object.fromEntries(tasks.map(({ id, rev }) => [id, rev]))
    await store.transact({ commands, by: 'director', expect })
  }
}

/** Keeps a question open for as long as something blocks the publication. */
async function tell(desk: Desk, publication: Publication): Promise<void> {
  if (publication.kind === 'refused') {
    const { workTree, files, said, command } = publication
    const named = files.length > 0 ? files : [said]
    return raiseQuestion(desk, {
      kind: 'publish-refused',
      name: [workTree ?? '', ...named].join('\n').slice(0, NAME_CHARACTERS_MAX),
      context: [said.trim(), ...files, `When you are ready: ${command}`].join('\n'),
    })
  }
  if (publication.kind === 'missing') {
    const context = `By hand: ${publication.command}`
    return raiseQuestion(desk, { kind: 'target-deleted', name: 'deleted', context })
  }
  await dropQuestions(desk, 'publish-refused', 'target-deleted')
}
