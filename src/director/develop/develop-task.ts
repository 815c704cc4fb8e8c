import { taskMetadata } from '../../cases/metadata.ts'
import { Failure } from '../../platform/failure.ts'
import type { RunResult } from '../../runs/run-end.ts'
import { runIterations } from '../../runs/run-iterations.ts'
import { NOTHING_SPENT } from '../../runs/task-progress.ts'
import { rescueWorkspace } from '../../workspaces/rescue-workspace.ts'
import type { DevelopOrder, DevelopResult } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { countChanges } from './count-changes.ts'
import { makePorts } from './run-ports.ts'
import { orderRun } from './run-prompt.ts'
import type { RunWorkspace } from './run-workspace.ts'
import { openTaskWorkspace } from './task-workspace.ts'

const OUTPUT_CHARACTERS_MAX = 500

/** Runs a developer in its workspace, iteration by iteration, until its run ends; what it leaves is saved. */
export async function developTask(world: RunWorld, order: DevelopOrder): Promise<DevelopResult> {
  const { result, opened } = await tryRun(world, order)
  const { ground, store } = world
  const { end } = result
  if (end.kind !== 'complete') {
    // Every other end saves uncommitted work: the workspace stays, but for an unknown time.
    const rescue = opened && (await rescueWorkspace(ground, opened.workspace, `wip: ${end.kind}`))
    return { result, saved: rescue?.refs ?? [] }
  }
  const { proof } = end.proof
  const [codeChanges, evidence] = await Promise.all([
    opened && countChanges(ground, opened.workspace.base, proof.commit),
    store.putBlob(Buffer.from(JSON.stringify(end.proof))),
  ])
  return { result, evidence, saved: [], ...(codeChanges ? { codeChanges } : {}) }
}

/** A failure of git, the disk or a missing program holds the task until a person has looked at it. */
async function tryRun(
  world: RunWorld,
  order: DevelopOrder,
): Promise<{ result: RunResult; opened: RunWorkspace | undefined }> {
  const { agent, task, slot, control } = order
  const begunMs = world.clock.now()
  const ended = (end: RunResult['end']): RunResult => ({
    end,
    execution: taskMetadata(task.metadata).execution ?? {},
    iterations: 0,
    durationMs: world.clock.now() - begunMs,
    waitedMs: 0,
    spent: NOTHING_SPENT,
    unread: control.close(),
  })
  let opened: RunWorkspace | undefined
  try {
    const place = await openTaskWorkspace(world, { agent, task, slot })
    if (place.kind === 'failed') {
      const output = place.output.slice(-OUTPUT_CHARACTERS_MAX)
      const reason = `the set-up "${place.command}" failed: ${output}`
      return { result: ended({ kind: 'blocked', reason }), opened }
    }
    opened = place
    const run = await orderRun(world, { agent, task, place })
    const ports = makePorts(world, { ...order, place })
    return { result: await runIterations(ports, run, control), opened }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = `${error.code}: ${error.message} ${error.hint}`.trim()
    const isStopped = error.code === 'INTERRUPTED'
    return { result: ended(isStopped ? { kind: 'stopped' } : { kind: 'blocked', reason }), opened }
  }
}
