import type { CaseId } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { landingMetadata, lastLanding } from '../../integration/landing-record.ts'
import type { Publication } from '../../integration/publish-target.ts'
import type { Means } from '../means.ts'
import type { Desk } from './carry-out.ts'
import { takeInUsers } from './upkeep.ts'

/** Of one commit. */
const MARKED_MAX = 200

/** To the user's branch. If he has commits of his own, they are taken in first; then it is tried once more. */
export async function publishToUser(desk: Desk): Promise<void> {
  const { means } = desk
  desk.done({ isPublishingDue: false })
  // What lands from here on may be too late for this time.
  const landed = [...desk.scene().view.unpublished]
  const publication = await publish(means)
  tellOnce(desk, publication)
  if (hasAll(publication)) await markPublished(means, landed)
}

async function publish(means: Means): Promise<Publication> {
  const first = await means.hands.publish()
  // Where others land, what he has not pushed yet is his own affair.
  const isHis = first.kind === 'ahead' || first.kind === 'diverged'
  if (!isHis || means.hands.follow) return first
  await takeInUsers(means)
  return means.hands.publish()
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
    // Where one of them changed meanwhile, all are marked the next time.
    const expect = Object.fromEntries(tasks.map(({ id, rev }) => [id, rev]))
    await store.transact({ commands, by: 'director', expect })
  }
}

/** It is tried again and again; what stands in the way is told when it is new. */
function tellOnce(desk: Desk, publication: Publication): void {
  const message = obstacleOf(publication)
  if (message !== null && message !== desk.scene().rounds.publishTold)
    desk.means.notify({ code: 'PUBLISH_REFUSED', severity: 'high', message })
  desk.done({ publishTold: message })
}

function obstacleOf(publication: Publication): string | null {
  switch (publication.kind) {
    case 'refused':
      return `your branch was left as it is: ${publication.said.trim()}\n  ${publication.command}`
    case 'missing':
      return `your branch is gone; what has landed is safe\n  ${publication.command}`
    default:
      return null
  }
}
