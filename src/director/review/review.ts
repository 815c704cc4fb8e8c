import type { Case } from '../../cases/case.ts'
import { readDelivery } from '../../delivery/delivery-state.ts'
import { STAGE_OF_ROLE } from '../../delivery/delivery-table.ts'
import type { Occurrence } from '../../delivery/occurrence.ts'
import { agentOfRole } from '../../personas/roles.ts'
import { applyEvent } from '../../project/delivery/apply-event.ts'
import { agentEvent, directorEvent } from '../../project/delivery/make-event.ts'
import type { RunControl } from '../../runs/run-control.ts'
import { spawnAgent } from '../../runs/spawn-agent.ts'
import { spendMetadata } from '../budgets/spend-metadata.ts'
import type { Means } from '../context.ts'
import { claimedOf, LEASE_MS } from '../develop/claim-task.ts'
import { countFailure } from '../develop/count-failure.ts'
import { hearSigns } from '../develop/hear-signs.ts'
import type { Perform } from '../effect.ts'
import type { PerformResult } from '../hands.ts'

interface Cast {
  readonly agent: string
  readonly task: Case
  readonly fence: number | null
}

/** Any agent but a developer: it takes its own lease and gives its signal, which is reported to delivery. */
export async function carryOutPerform(
  means: Means,
  effect: Perform,
  slot: number,
  control: RunControl,
): Promise<void> {
  const cast = await takeLease(means, effect)
  if (cast === undefined) return
  const read = readDelivery(cast.task)
  if (read.kind === 'unreadable') return
  const { role } = effect
  const { delivery } = read
  const { agent, task, fence } = cast
  const stage = STAGE_OF_ROLE[role]
  if (stage !== undefined && fence !== null) control.holdLease({ id: task.id, stage, fence })
  const signs = fence === null ? undefined : hearSigns(means, { role, agent, task: task.id, fence }, control)
  const result = await means.hands.perform({ ...cast, slot, control, role, delivery })
  if (result.kind === 'stopped') return release(means, effect, cast)
  const occurrence = wordOf(effect, cast, result, delivery.request?.id ?? null)
  const metadata = spendMetadata(cast.task, { spent: result.spent, activeMs: result.durationMs })
  const answer = await applyEvent(means.store, means.words, {
    about: cast.task.id,
    occurrence,
    metadata,
    ...(result.kind === 'said' && result.checksGreen !== undefined
      ? { checksGreen: result.checksGreen }
      : {}),
  })
  // A signal that does not fit the state is as good as none: another agent is asked, but not forever.
  if (answer.kind === 'refused' && result.kind === 'said')
    await applyEvent(means.store, means.words, {
      about: cast.task.id,
      occurrence: lost(cast, answer.message),
      metadata,
    })
  await countFailure(means, answer)
  await signs?.told()
}

async function takeLease(means: Means, effect: Perform): Promise<Cast | undefined> {
  const { store, vocabulary } = means
  const { task: id, role, stage, held } = effect
  if (held !== null || stage === null) {
    const [task] = await store.query({ ids: [id] })
    const agent =
      held?.agent ?? (await spawnAgent((prefix) => store.allocate(prefix), vocabulary, agentOfRole(role)))
    return task && { agent, task, fence: held?.fence ?? null }
  }
  const agent = await spawnAgent((prefix) => store.allocate(prefix), vocabulary, agentOfRole(role))
  const answer = await store.transact({
    commands: [{ kind: 'claim', id, stage, holder: agent, ttlMs: LEASE_MS }],
    by: agent,
  })
  if (answer.kind !== 'committed') return undefined
  return { agent, ...claimedOf(answer.cases, id, stage) }
}

async function release({ store }: Means, { stage }: Perform, { task, agent, fence }: Cast): Promise<void> {
  if (stage === null || fence === null) return
  const reason = `${agent} was stopped`
  await store.transact({ commands: [{ kind: 'release', id: task.id, stage, fence, reason }], by: agent })
}

function wordOf(
  { role }: Perform,
  cast: Cast,
  result: Exclude<PerformResult, { kind: 'stopped' }>,
  request: string | null,
): Occurrence {
  if (result.kind === 'lost') return lost(cast, result.reason)
  const { agent, task, fence } = cast
  const id = `${agent}/${fence ?? 0}/${task.rev}`
  return agentEvent(role, agent, result.signal, id, {
    fence,
    commit: result.commit,
    text: result.text ?? null,
    request: role === 'expert' ? request : null,
  })
}

function lost({ task, agent, fence }: Cast, text: string): Occurrence {
  return directorEvent(task.id, 'AGENT_LOST', `lost/${agent}/${fence ?? 0}/${task.rev}`, { text })
}
