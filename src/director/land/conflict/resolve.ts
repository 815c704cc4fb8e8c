import type { Case, CaseId } from '../../../cases/case.ts'
import { readDelivery } from '../../../delivery/delivery-state.ts'
import { type LandingRecord, landingMetadata, readLanding } from '../../../integration/landing-record.ts'
import type { RunControl } from '../../../runs/run-control.ts'
import { spawnAgent } from '../../../runs/spawn-agent.ts'
import { spendMetadata } from '../../budgets/spend-metadata.ts'
import type { Means } from '../../context.ts'
import { claimedOf, LEASE_MS } from '../../develop/claim-task.ts'
import type { Resolve } from '../../effect.ts'
import type { ResolveResult } from '../../hands.ts'

const REASON_CHARACTERS_MAX = 1_000

/** The resolver (Rex) on one conflict: its result replaces the work in the queue, or its try is counted. */
export async function carryOutResolve(
  means: Means,
  { task: id, entry }: Resolve,
  slot: number,
  control: RunControl,
): Promise<void> {
  const { store, vocabulary } = means
  const agent = await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'rex')
  const answer = await store.transact({
    commands: [{ kind: 'claim', id, stage: 'resolve', holder: agent, ttlMs: LEASE_MS }],
    by: agent,
  })
  if (answer.kind !== 'committed') return
  const { task, fence } = claimedOf(answer.cases, id, 'resolve')
  control.holdLease({ id, stage: 'resolve', fence })
  const conflict = recordOf(task)?.conflict
  if (!conflict) return
  const { target, files } = conflict
  const result = await means.hands.resolve({ agent, task, slot, control, entry, fence, target, files })
  await keepResult(means, id, agent, fence, result)
}

function recordOf(task: Case): LandingRecord | undefined {
  const read = readDelivery(task)
  if (read.kind !== 'read' || read.delivery.state !== 'integrating' || read.delivery.commit === null)
    return undefined
  return readLanding(task, read.delivery.commit)
}

async function keepResult(
  { store }: Means,
  id: CaseId,
  agent: string,
  fence: number,
  result: ResolveResult,
): Promise<void> {
  const [task] = await store.query({ ids: [id] })
  const before = task && recordOf(task)
  if (!task || !before?.conflict) return
  const after = result.kind === 'stopped' ? before : { ...before, ...afterTry(before, agent, result) }
  const reason = `the conflict of ${id}: ${result.kind}`
  const cost = spendMetadata(task, { spent: result.spent, activeMs: result.durationMs })
  const metadata = { ...landingMetadata(after), ...cost }
  await store.transact({
    commands: [
      { kind: 'update', id, metadata, reason, fence },
      { kind: 'release', id, stage: 'resolve', fence, reason },
    ],
    by: agent,
  })
}

function afterTry(
  { conflict }: LandingRecord,
  agent: string,
  result: Exclude<ResolveResult, { kind: 'stopped' }>,
): Pick<LandingRecord, 'conflict' | 'resolution'> {
  if (result.kind === 'resolved' || conflict === null)
    return {
      conflict: null,
      resolution: result.kind === 'resolved' ? { commit: result.commit, by: agent } : null,
    }
  const said = result.kind === 'pending' ? (result.signal.payload ?? 'he hands it over') : result.reason
  return {
    resolution: null,
    conflict: {
      ...conflict,
      tries: conflict.tries + Math.max(1, result.iterations),
      // The resolver gives up: from now on the conflict needs a person.
      level: result.kind === 'pending' ? 'COMPLEX' : conflict.level,
      reason: said.slice(0, REASON_CHARACTERS_MAX),
      workspace: result.workspace ?? null,
    },
  }
}
