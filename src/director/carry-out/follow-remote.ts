import type { Entry } from '../../integration/entry.ts'
import type { Means } from '../means.ts'
import type { Rounds } from '../scene.ts'
import { countFound } from './count-found.ts'
import { tellLanding } from './land.ts'

/** What the remote has now: its target, and what others made of the branches that were offered. */
export async function followOffered(
  means: Means,
  offered: readonly Entry[],
  known: string | null,
): Promise<Partial<Rounds>> {
  const following = await means.hands.follow?.(offered)
  if (following === undefined) return {}
  if (following.kind === 'unreachable') {
    means.notify({ code: 'REMOTE_FETCH_FAILED', severity: 'medium', message: following.said })
    return {}
  }
  const { target, landings } = following
  const isAgreed = target.kind === 'same' || target.kind === 'moved'
  if (!isAgreed) return { remoteTarget: null }
  let landed = 0
  for (const entry of offered) {
    const landing = landings.get(entry.task)
    if (landing) await tellLanding(means, entry, landing)
    if (landing?.kind === 'landed') landed += 1
  }
  await countFound(means, landed)
  const isNews = target.commit !== known || landed > 0
  return {
    remoteTarget: target.commit,
    ...(isNews ? { isPublishingDue: true } : {}),
    ...(landed > 0 ? { isCleaningDue: true } : {}),
  }
}
