import type { Desk } from '../../context.ts'
import { dropQuestions, raiseQuestion } from '../../questions/raise-question.ts'
import { offeredIn } from '../choose-landings.ts'
import { countFound } from '../count-found.ts'
import { tellLanding } from '../land.ts'

/** Takes in the remote's target and the outcome of the offered branches. */
export async function followOffered(desk: Desk): Promise<void> {
  const { means } = desk
  const snapshot = desk.snapshot()
  const offered = offeredIn(snapshot)
  const following = await means.hands.follow?.(offered)
  if (following === undefined) return
  if (following.kind === 'unreachable')
    return means.notify({ code: 'REMOTE_FETCH_FAILED', severity: 'medium', message: following.said })
  const { target, landings } = following
  if (target.kind === 'rewritten' || target.kind === 'missing') {
    // Nothing is offered to a target that no person has accepted.
    desk.remember({ remoteTarget: null })
    const kind = target.kind === 'rewritten' ? 'remote-rewritten' : 'remote-missing'
    const commit = target.kind === 'rewritten' ? target.commit : ''
    const context = `On record is ${target.record ?? 'nothing'}; the remote has ${commit || 'no such branch'}.`
    return raiseQuestion(desk, { kind, name: commit || 'missing', context, ...(commit ? { commit } : {}) })
  }
  await dropQuestions(desk, 'remote-rewritten', 'remote-missing')
  let landed = 0
  for (const entry of offered) {
    const landing = landings.get(entry.task)
    if (landing) await tellLanding(means, entry, landing)
    if (landing?.kind === 'landed') landed += 1
  }
  await countFound(means, landed)
  const isNews = target.commit !== snapshot.memory.remoteTarget || landed > 0
  desk.remember({ remoteTarget: target.commit })
  if (isNews) desk.want('publish')
  if (landed > 0) desk.want('clean-workspaces')
}
