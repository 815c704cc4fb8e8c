import { basename } from 'node:path'
import { iterationOf } from '../../../personas/case-prompt.ts'
import type { Feedback } from '../../../personas/prompt-input.ts'
import { Failure } from '../../../platform/failure.ts'
import { playRole, type RolePlayed } from '../../../runs/play-role.ts'
import { runLimits } from '../../../runs/run-limits.ts'
import { NOTHING_SPENT } from '../../../runs/task-progress.ts'
import type { Signal } from '../../../signals/finding.ts'
import { removeWorkspace } from '../../../workspaces/remove-workspace.ts'
import { slotVariables } from '../../../workspaces/slot-variables.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import type { ResolveOrder, ResolveResult } from '../../hands.ts'
import { openRoleSession, recordRole } from '../../review/role-session.ts'
import type { RunWorld } from '../../run-world.ts'
import { type JudgedResolution, judgeResolution } from './judge-resolution.ts'
import { openMerge } from './merge-workspace.ts'
import { resolverPrompt } from './resolver-prompt.ts'

/**
 * Lets the resolver (Rex) settle one conflict in its own workspace. Its signal counts when a merge of both
 * sides is committed without a marker and passes the checks; otherwise the workspace stays for a person.
 */
export async function resolveConflict(world: RunWorld, order: ResolveOrder): Promise<ResolveResult> {
  const begunMs = world.clock.now()
  try {
    const result = await resolveIn(world, order)
    if (!order.control.isLeaseLost) return result
    const { spent, iterations, durationMs } = result
    return { kind: 'stopped', spent, iterations, durationMs }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = `${error.code}: ${error.message} ${error.hint}`.trim()
    const durationMs = world.clock.now() - begunMs
    const cost = { spent: NOTHING_SPENT, iterations: 0, durationMs }
    return error.code === 'INTERRUPTED' ? { ...cost, kind: 'stopped' } : { ...cost, kind: 'failed', reason }
  }
}

async function resolveIn(world: RunWorld, order: ResolveOrder): Promise<ResolveResult> {
  const { config, ground } = world
  const { agent, slot, target, entry, task } = order
  const variables = slotVariables(slot, basename(world.root), config.workspace.variables)
  const opened = await openMerge(world, {
    agent,
    slot,
    target,
    source: entry.source,
    task: task.id,
    variables,
  })
  const { workspace } = opened
  const nothing = { spent: NOTHING_SPENT, iterations: 0, durationMs: 0 }
  if (opened.kind === 'failed')
    return { ...nothing, kind: 'failed', reason: opened.reason, workspace: workspace.name }
  if (opened.kind === 'clean') {
    await removeWorkspace(ground, workspace, 'there was nothing to settle')
    return { ...nothing, kind: 'resolved', commit: entry.source }
  }
  const asked = await world.store.query({ type: 'pending', status: 'done', parentId: task.parentId })
  const { answers } = iterationOf(task, asked)
  const judged: { last?: JudgedResolution } = {}
  const played = await playRole(
    {
      ...openRoleSession(world, { role: 'resolver', agent, task, path: workspace.path, variables }),
      object: (signal) => objectionsTo(world, signal, order, workspace, judged),
    },
    {
      prompt: await resolverPrompt(world, order),
      first: { number: 1, ...(answers ? { answers } : {}) },
      task: task.id,
      limits: { ...runLimits(config), iterationsMax: config.integration.conflictTries },
      assembly: { tokensMax: config.prompts.maxTokens, discoveryTokensMax: config.knowledge.promptTokens },
    },
    order.control,
  )
  await recordRole(world, { role: 'resolver', agent, task }, played)
  return conclude(world, workspace, played, judged.last)
}

async function conclude(
  { ground }: RunWorld,
  workspace: Workspace,
  { end, spent, iterations, durationMs }: RolePlayed,
  judged: JudgedResolution | undefined,
): Promise<ResolveResult> {
  const cost = { spent, iterations, durationMs }
  if (end.kind === 'stopped') return { ...cost, kind: 'stopped' }
  if (end.kind === 'spoke' && judged?.kind === 'sound') {
    await removeWorkspace(ground, workspace, 'the conflict was settled')
    return { ...cost, kind: 'resolved', commit: judged.commit }
  }
  if (end.kind === 'spoke') return { ...cost, kind: 'pending', signal: end.signal, workspace: workspace.name }
  const faults = judged?.kind === 'refused' ? ` ${judged.faults.join(' ')}` : ''
  return {
    ...cost,
    kind: 'failed',
    reason: `${end.cause}: ${end.reason}.${faults}`,
    workspace: workspace.name,
  }
}

/** Whether the conflict is settled as the resolver claims; the last judgement is kept for the end. */
async function objectionsTo(
  world: RunWorld,
  signal: Signal,
  { task, entry, target }: ResolveOrder,
  workspace: Workspace,
  judged: { last?: JudgedResolution },
): Promise<readonly Feedback[]> {
  if (signal.name !== 'RESOLVED') return []
  judged.last = await judgeResolution(world, { workspace, task: task.id, target, source: entry.source })
  return judged.last.kind === 'sound' ? [] : feedbackOf(judged.last)
}

function feedbackOf({ faults, output }: Extract<JudgedResolution, { kind: 'refused' }>): Feedback[] {
  const title = 'The conflict is not settled yet'
  const origin = 'the director'
  const finding = { kind: 'finding', title, origin, text: faults.join('\n') } as const
  if (output === undefined) return [finding]
  return [finding, { kind: 'output', title: 'The checks', origin, text: output }]
}
