import { offeredIn } from '../choose-landings.ts'
import type { Desk } from './carry-out.ts'
import { countFound } from './count-found.ts'
import { tellLanding } from './land.ts'
import { dropMatters, raiseMatter } from './raise-matter.ts'

/** What the remote has now: its target, and what others made of the branches that were offered. */
export async function followOffered(desk: Desk): Promise<void> {
  const { means } = desk
  const scene = desk.scene()
  const offered = offeredIn(scene)
  const following = await means.hands.follow?.(offered)
  if (following === undefined) return
  if (following.kind === 'unreachable')
    return means.notify({ code: 'REMOTE_FETCH_FAILED', severity: 'medium', message: following.said })
  const { target, landings } = following
  if (target.kind === 'rewritten' || target.kind === 'missing') {
    // Nothing is offered to a target that nobody has agreed on.
    desk.done({ remoteTarget: null })
    const kind = target.kind === 'rewritten' ? 'remote-rewritten' : 'remote-missing'
    const commit = target.kind === 'rewritten' ? target.commit : ''
    const context = `On record is ${target.record ?? 'nothing'}; the remote has ${commit || 'no such branch'}.`
    return raiseMatter(desk, { kind, name: commit || 'missing', context, ...(commit ? { commit } : {}) })
  }
  await dropMatters(desk, 'remote-rewritten', 'remote-missing')
  let landed = 0
  for (const entry of offered) {
    const landing = landings.get(entry.task)
    if (landing) await tellLanding(means, entry, landing)
    if (landing?.kind === 'landed') landed += 1
  }
  await countFound(means, landed)
  const isNews = target.commit !== scene.rounds.remoteTarget || landed > 0
  desk.done({
    remoteTarget: target.commit,
    ...(isNews ? { isPublishingDue: true } : {}),
    ...(landed > 0 ? { isCleaningDue: true } : {}),
  })
}
