import type { RunControl } from '../../runs/run-control.ts'
import { spawnAgent } from '../../runs/spawn-agent.ts'
import { type Means, runHook } from '../context.ts'
import type { Develop } from '../effect.ts'
import { type Claimed, claimTask } from './claim-task.ts'
import { countFailure } from './count-failure.ts'
import { hearSigns } from './hear-signs.ts'
import { reportRun } from './report-run.ts'
import { tellHolder } from './tell-holder.ts'

/** A developer claims its task, or continues it, and the end of its run is reported to delivery. */
export async function carryOutDevelop(
  means: Means,
  effect: Develop,
  slot: number,
  control: RunControl,
): Promise<void> {
  const agent =
    effect.held?.agent ??
    effect.agent ??
    (await spawnAgent((prefix) => means.store.allocate(prefix), means.vocabulary, 'echo'))
  const claimed = await takeUp(means, effect, agent)
  if (claimed === undefined) return
  const { task, fence } = claimed
  const variables = { TASK_ID: task.id, AGENT: agent }
  runHook(means, { event: 'pre-start', variables })
  const signs = hearSigns(means, { role: 'developer', agent, task: task.id, fence }, control)
  const developed = await means.hands.develop({ agent, task, slot, control, fence })
  const { end, answer } = await reportRun(means, { agent, claimed, developed })
  if (end.kind === 'complete') runHook(means, { event: 'post-complete', variables })
  if (end.kind === 'referred') await tellHolder(means.store, { task: task.id, agent }, end.signal)
  if (answer) await countFailure(means, answer)
  await signs.told()
}

/** In rework the claim exists already. */
async function takeUp(
  means: Means,
  { task: id, held }: Develop,
  agent: string,
): Promise<Claimed | undefined> {
  if (held === null) {
    const answer = await claimTask(means, id, agent)
    return answer.kind === 'claimed' ? answer : undefined
  }
  const [task] = await means.store.query({ ids: [id] })
  return task ? { kind: 'claimed', task, fence: held.fence } : undefined
}
