import { basename } from 'node:path'
import type { Feedback } from '../../personas/prompt-input.ts'
import { Failure } from '../../platform/failure.ts'
import { playRole, type RolePlayed } from '../../runs/play-role.ts'
import { runLimits } from '../../runs/run-limits.ts'
import { NOTHING_SPENT } from '../../runs/task-progress.ts'
import type { Signal } from '../../signals/finding.ts'
import { explainFault, judgeClaim } from '../../verification/prove-completion.ts'
import { checksFor } from '../../verification/run-checks.ts'
import { type SlotVariables, slotVariables } from '../../workspaces/slot-variables.ts'
import type { PerformOrder, PerformResult } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'
import { checkCommit } from './check-commit.ts'
import { openRolePlace, type RolePlace } from './role-place.ts'
import { promptFor } from './role-prompt.ts'
import { openRoleSession, recordRole } from './role-session.ts'

/**
 * Lets one agent of a role work on a task: in a throwaway copy of exactly what it has to review, or, for a
 * repair, in its own workspace, whose commit is returned. It changes no case except for discoveries; the
 * director commits the agent's signal.
 */
export async function performRole(world: RunWorld, order: PerformOrder): Promise<PerformResult> {
  const begunMs = world.clock.now()
  try {
    const result = await playIn(world, order)
    return order.control.isLeaseLost ? { ...costOf(result), kind: 'stopped' } : result
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = `${error.code}: ${error.message} ${error.hint}`.trim()
    const durationMs = world.clock.now() - begunMs
    const cost = { spent: NOTHING_SPENT, iterations: 0, durationMs }
    return error.code === 'INTERRUPTED' ? { ...cost, kind: 'stopped' } : { ...cost, kind: 'lost', reason }
  }
}

function costOf({ spent, iterations, durationMs }: Pick<RolePlayed, 'spent' | 'iterations' | 'durationMs'>) {
  return { spent, iterations, durationMs }
}

async function playIn(world: RunWorld, order: PerformOrder): Promise<PerformResult> {
  const { task, role, agent, slot, control } = order
  const { config } = world
  const variables = slotVariables(slot, basename(world.root), config.workspace.variables)
  await using place = await openRolePlace(world, { role, task, agent, slot, variables })
  const { prompt, first } = await promptFor(world, order, place)
  const played = await playRole(
    {
      ...openRoleSession(world, { role, agent, task, path: place.path, variables }),
      object: (signal) => objectionsTo(signal, order, place),
    },
    {
      prompt,
      first,
      task: task.id,
      limits: runLimits(config),
      assembly: { tokensMax: config.prompts.maxTokens, discoveryTokensMax: config.knowledge.promptTokens },
    },
    control,
  )
  await recordRole(world, order, played)
  const { end } = played
  switch (end.kind) {
    case 'spoke':
      return { ...costOf(played), ...(await wordOf(world, order, place, variables, end.signal)) }
    case 'lost':
      return { ...costOf(played), kind: 'lost', reason: `${end.cause}: ${end.reason}` }
    case 'stopped':
      return { ...costOf(played), kind: 'stopped' }
  }
}

type Said = Pick<
  Extract<PerformResult, { kind: 'said' }>,
  'kind' | 'signal' | 'commit' | 'checksGreen' | 'text'
>

/**
 * The signal with the commit it is about; a report that all is healthy is compared with AXIOM's own run of
 * the checks.
 */
async function wordOf(
  world: RunWorld,
  { role, task, agent }: PerformOrder,
  place: RolePlace,
  variables: SlotVariables,
  signal: Signal,
): Promise<Said> {
  if (role === 'remediator') {
    const left = await place.inspect()
    const commit = left?.head.kind === 'exported' ? left.head.commit : null
    return { kind: 'said', signal, commit }
  }
  if (signal.name !== 'HEALTH_AUDIT: HEALTHY') return { kind: 'said', signal, commit: place.commit }
  const { commit } = place
  const checks = checksFor(world.config.verification, [])
  const checked = await checkCommit(world, { commit, task: task.id, agent, checks, variables })
  const seen = { kind: 'said', signal, commit, checksGreen: checked.kind === 'green' } as const
  return checked.kind === 'green' ? seen : { ...seen, text: checked.text }
}

/**
 * Advice counts by the id of its request; a repair counts as committed: anything beside its commit would be
 * lost.
 */
async function objectionsTo(
  signal: Signal,
  { role, delivery: { request } }: PerformOrder,
  place: RolePlace,
): Promise<readonly Feedback[]> {
  const origin = 'the director'
  if (role === 'expert' && signal.name.startsWith('EXPERT_') && signal.payload !== request?.id) {
    const text = `You answered "${signal.payload}", but the request is ${request?.id}. Repeat its id exactly.`
    return [{ kind: 'finding', title: 'Your answer names another request', origin, text }]
  }
  if (signal.name !== 'REMEDIATION_COMPLETE') return []
  const left = await place.inspect()
  if (left === undefined) return []
  // A fault outside the code is repaired without a commit.
  const faults = judgeClaim({ base: place.commit, ...left }).filter(({ kind }) => kind !== 'no-commit')
  if (faults.length === 0) return []
  const text = faults.map(explainFault).join('\n')
  return [{ kind: 'finding', title: 'Your repair could not be accepted', origin, text }]
}
