import assert from 'node:assert'
import type { Case } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { Refusal } from '../cases/refusal.ts'
import { agentFolder } from '../personas/roles.ts'
import { Failure } from '../platform/failure.ts'
import { RunControl } from '../runs/run-control.ts'
import type { RunEnd, RunResult } from '../runs/run-end.ts'
import { runIterations } from '../runs/run-iterations.ts'
import { spawnAgent } from '../runs/spawn-agent.ts'
import { NOTHING_SPENT } from '../runs/task-progress.ts'
import { rescueWorkspace } from '../workspaces/rescue-workspace.ts'
import { countChanges } from './count-changes.ts'
import { endCommands } from './end-run.ts'
import { holdLease, LEASE_MS } from './hold-lease.ts'
import { makePorts } from './make-run-ports.ts'
import { orderRun } from './order-run.ts'
import { openRunWorkspace, type RunWorkspace } from './run-workspace.ts'
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

/** Takes one task from its claim to the end of its run: proven, held, failed, or given back. */
export async function runTask(world: RunWorld, request: TaskRequest): Promise<TaskOutcome> {
  const { store, vocabulary } = world
  const control = request.control ?? new RunControl()
  const agent = request.agent ?? (await spawnAgent((prefix) => store.allocate(prefix), vocabulary, 'echo'))
  const claimed = await store.transact({
    commands: [{ kind: 'claim', id: request.task, stage: 'develop', holder: agent, ttlMs: LEASE_MS }],
    by: agent,
  })
  assert(claimed.kind !== 'stale', 'a claim names no document')
  if (claimed.kind === 'refused') return { kind: 'refused', refusal: claimed }
  const task = claimed.cases.find(({ id }) => id === request.task)
  const fence = task?.leases?.develop?.fence
  assert(task && fence !== undefined, `the claim of ${request.task} tells no fence`)
  await using lease = holdLease(world, { id: task.id, stage: 'develop', fence }, () => control.stop())
  const { result, opened } = await tryRun(world, { ...request, agent, control, fence }, task)
  const end: RunEnd = lease.isLost ? { kind: 'fence-lost' } : result.end
  const committed = await commitEnd(world, { agent, task, fence, opened }, { ...result, end })
  await recordRun(world, agent, task.id, { ...result, end: committed.end })
  return { kind: 'ended', agent, fence, ...committed }
}

interface Attempt {
  readonly agent: string
  readonly task: Case
  readonly fence: number
  readonly opened: RunWorkspace | undefined
}

/** Trouble of the world (git, the disk, a missing program) holds the task until a person has looked at it. */
async function tryRun(
  world: RunWorld,
  request: TaskRequest & { agent: string; control: RunControl; fence: number },
  task: Case,
): Promise<{ result: RunResult; opened: RunWorkspace | undefined }> {
  const begunMs = world.clock.now()
  const execution = taskMetadata(task.metadata).execution ?? {}
  const held = (reason: string): RunResult => ({
    end: { kind: 'blocked', reason },
    execution,
    iterations: 0,
    durationMs: world.clock.now() - begunMs,
    spent: NOTHING_SPENT,
    unread: request.control.takeMessages(),
  })
  let opened: RunWorkspace | undefined
  try {
    const place = await openRunWorkspace(world, { agent: request.agent, task: task.id, slot: request.slot })
    if (place.kind === 'failed') {
      return { result: held(`the set-up "${place.command}" failed: ${place.output.slice(-500)}`), opened }
    }
    opened = place
    const order = await orderRun(world, { agent: request.agent, task, place })
    const ports = makePorts(world, { ...request, task, place })
    return { result: await runIterations(ports, order, request.control), opened }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { result: held(`${error.code}: ${error.message} ${error.hint}`.trim()), opened }
  }
}

async function commitEnd(
  world: RunWorld,
  { agent, task, fence, opened }: Attempt,
  result: RunResult,
): Promise<{ end: RunEnd; task: Case }> {
  const { store, ground } = world
  const { end } = result
  if (end.kind === 'fence-lost') return { end, task }
  const isProven = end.kind === 'complete'
  // Whatever lies uncommitted is saved at every other end: the workspace stays, but nobody knows for how long.
  const rescue =
    opened && !isProven ? await rescueWorkspace(ground, opened.workspace, `wip: ${end.kind}`) : undefined
  const [codeChanges, evidence] = isProven
    ? await Promise.all([
        opened && countChanges(ground, opened.workspace.base, end.proof.proof.commit),
        store.putBlob(Buffer.from(JSON.stringify(end.proof))),
      ])
    : []
  const commands = endCommands(task, result, {
    fence,
    nowMs: world.clock.now(),
    ...(codeChanges ? { codeChanges } : {}),
    ...(evidence ? { evidence } : {}),
    ...(rescue ? { saved: rescue.refs } : {}),
  })
  const answer = await store.transact({ commands, by: agent, key: `run-end/${task.uid}/${fence}` })
  if (answer.kind === 'committed') {
    return { end, task: answer.cases.find(({ id }) => id === task.id) ?? task }
  }
  if (answer.kind === 'refused' && answer.code === 'StaleClaim') return { end: { kind: 'fence-lost' }, task }
  throw new Failure('STORE_REFUSED', `The end of ${task.id} was refused: ${JSON.stringify(answer)}`)
}

async function recordRun(world: RunWorld, agent: string, task: string, result: RunResult): Promise<void> {
  const { tokens, costUsd } = result.spent
  await world.ash.record({
    at: new Date(world.clock.now()).toISOString(),
    agent,
    persona: agentFolder(world.vocabulary, 'echo'),
    task,
    end: result.end.kind,
    iterations: result.iterations,
    durationMs: result.durationMs,
    tokens: { input: tokens.inputTokens, output: tokens.outputTokens },
    costUsd,
  })
}
