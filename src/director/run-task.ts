import assert from 'node:assert'
import type { Case } from '../cases/case.ts'
import type { Refusal } from '../cases/refusal.ts'
import { RunControl } from '../runs/run-control.ts'
import type { RunEnd } from '../runs/run-end.ts'
import { spawnAgent } from '../runs/spawn-agent.ts'
import { claimTask } from './carry-out/claim-task.ts'
import { type Reporting, reportRun } from './carry-out/report-run.ts'
import { gitWordWorld } from './git-word-world.ts'
import { developTask } from './hands/develop-task.ts'
import { holdLease } from './hold-lease.ts'
import type { RunWorld } from './run-world.ts'

export interface TaskRequest {
  readonly task: string
  readonly slot: number
  /** An agent that already lives; a new one is spawned when absent. */
  readonly agent?: string
  readonly control?: RunControl
}

export type TaskOutcome =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'ended'
      readonly agent: string
      readonly fence: number
      readonly end: RunEnd
      readonly task: Case
    }

/** Takes one task from its claim to the end of its run, without a director: proven, held, failed, or given back. */
export async function runTask(world: RunWorld, request: TaskRequest): Promise<TaskOutcome> {
  const { store, vocabulary } = world
  const reporting: Reporting = {
    ...world,
    words: gitWordWorld(world),
    record: (run) => world.ash.record(run),
  }
  const control = request.control ?? new RunControl()
  const agent = request.agent ?? (await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'echo'))
  const claimed = await claimTask(reporting, request.task, agent)
  if (claimed.kind === 'refused') return { kind: 'refused', refusal: claimed }
  assert(claimed.kind === 'claimed', `${request.task} does not wait to be developed`)
  const { task, fence } = claimed
  await using lease = holdLease(world, { id: task.id, stage: 'develop', fence }, () => control.stop())
  const developed = await developTask(world, { agent, task, slot: request.slot, control, fence })
  const { result } = developed
  const told = lease.isLost
    ? { ...developed, result: { ...result, end: { kind: 'fence-lost' } as const } }
    : developed
  const { end } = await reportRun(reporting, { agent, claimed, developed: told })
  const [after = task] = await store.query({ ids: [task.id] })
  return { kind: 'ended', agent, fence, end, task: after }
}
