import { basename } from 'node:path'
import { taskMetadata } from '../../cases/metadata.ts'
import type { Entry } from '../../integration/entry.ts'
import type { Verdict } from '../../integration/landing-ground.ts'
import { treeOf } from '../../platform/git/repository-operations.ts'
import { deliveryOf } from '../../project/task-notes.ts'
import { type CheckResult, checksFor, isRed, runChecks } from '../../verification/run-checks.ts'
import { slotVariables } from '../../workspaces/slot-variables.ts'
import { proofPorts } from '../develop/run-workspace.ts'
import type { RunWorld } from '../run-world.ts'

const FEEDBACK_CHARACTERS_MAX = 20_000

/**
 * Runs the project's checks, and the tasks' own checks, on a fresh checkout of a candidate that is set up
 * like any other. The result is kept as evidence, bound to commit and tree.
 */
export async function verifyCandidate(
  world: RunWorld,
  commit: string,
  group: readonly Pick<Entry, 'task'>[],
): Promise<Verdict> {
  const { config, clock, ground, runLine, store, machine, root } = world
  // The slot after those of the agents: no other process uses its ports and databases.
  const slot = slotVariables(config.agents.maxConcurrent, basename(root), config.workspace.variables)
  const ports = proofPorts(world, slot)
  const checks = checksFor(config.verification, await ownChecks(world, group))
  // A checkout in which nothing would run proves nothing.
  if (checks.length === 0 && !ports.hasSetUp) return { kind: 'green', evidence: await keep({ checks: [] }) }
  await using checkout = await ports.openCheckout(commit)
  const ready = await ports.setUp(checkout.path)
  if (ready.kind === 'failed') {
    const feedback = `The set-up "${ready.command}" failed on the merged result:\n${ready.output}`
    return { kind: 'red', evidence: await keep({ setUp: ready }), feedback: tailOf(feedback) }
  }
  const verification = await runChecks({
    checkout: checkout.path,
    checks,
    task: group.map(({ task }) => task).join(','),
    agent: 'integration',
    iteration: 1,
    environment: slot.environment,
    stopAtFirst: true,
    repeatsRed: false,
    run: runLine,
    now: () => clock.now(),
  })
  const results = verification.kind === 'empty' ? [] : verification.checks
  const evidence = await keep({ checks: results })
  if (verification.kind !== 'failed') return { kind: 'green', evidence }
  return { kind: 'red', evidence, feedback: explain(results) }

  async function keep(seen: Record<string, unknown>): Promise<string> {
    const tree = await treeOf(ground.git, ground.integration, commit)
    const body = { commit, tree, machine, at: new Date(clock.now()).toISOString(), ...seen }
    return store.putBlob(Buffer.from(JSON.stringify(body)))
  }
}

async function ownChecks({ store }: RunWorld, group: readonly Pick<Entry, 'task'>[]): Promise<string[]> {
  if (group.length === 0) return []
  const tasks = await store.query({ ids: group.map(({ task }) => task) })
  // A repair is not the work of the task that met the fault: that task's own checks run later.
  const own = tasks.filter((task) => deliveryOf(task).state !== 'repair-landing')
  return [...new Set(own.flatMap(({ metadata }) => taskMetadata(metadata).verify ?? []))]
}

function explain(results: readonly CheckResult[]): string {
  const red = results.filter((result) => isRed(result) && result.code !== 'VERIFICATION_SKIPPED')
  const parts = red.map(({ name, reason, feedback }) => `${name}: ${reason}\n${feedback}`)
  return tailOf(`On the target, merged with what landed meanwhile:\n${parts.join('\n\n')}`)
}

function tailOf(text: string): string {
  if (text.length <= FEEDBACK_CHARACTERS_MAX) return text
  const half = FEEDBACK_CHARACTERS_MAX / 2
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`
}
