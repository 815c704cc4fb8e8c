import type { Check } from '../../config/work-options.ts'
import { type CheckResult, isRed, runChecks } from '../../verification/run-checks.ts'
import type { SlotVariables } from '../../workspaces/slot-variables.ts'
import { proofPorts } from '../develop/run-workspace.ts'
import type { RunWorld } from '../run-world.ts'

export interface CheckedCommit {
  readonly commit: string
  readonly task: string
  readonly agent: string
  readonly checks: readonly Check[]
  readonly variables: SlotVariables
}

export type CheckedOutcome =
  | { readonly kind: 'green'; readonly results: readonly CheckResult[] }
  | { readonly kind: 'red'; readonly results: readonly CheckResult[]; readonly text: string }

const FEEDBACK_CHARACTERS_MAX = 3_000

/** Runs checks on a fresh checkout of one commit, in the sandbox and without credentials. */
export async function checkCommit(world: RunWorld, request: CheckedCommit): Promise<CheckedOutcome> {
  const ports = proofPorts(world, request.variables)
  // A checkout in which nothing would run proves nothing.
  if (request.checks.length === 0 && !ports.hasSetUp) return { kind: 'green', results: [] }
  await using checkout = await ports.openCheckout(request.commit)
  const ready = await ports.setUp(checkout.path)
  if (ready.kind === 'failed') {
    const text = `The set-up "${ready.command}" fails on a fresh checkout:\n${ready.output.slice(-FEEDBACK_CHARACTERS_MAX)}`
    return { kind: 'red', results: [], text }
  }
  const verification = await runChecks({
    checkout: checkout.path,
    checks: request.checks,
    task: request.task,
    agent: request.agent,
    iteration: 1,
    environment: request.variables.environment,
    stopAtFirst: false,
    run: ports.run,
    now: ports.now,
  })
  const results = verification.kind === 'empty' ? [] : verification.checks
  const red = results.filter(isRed)
  if (red.length === 0) return { kind: 'green', results }
  return { kind: 'red', results, text: red.map(describeRed).join('\n\n') }
}

function describeRed({ name, environment, reason, feedback }: CheckResult): string {
  const where = environment === undefined ? '' : ` (${environment})`
  return `${name}${where} is red. ${reason}\n${feedback.slice(-FEEDBACK_CHARACTERS_MAX)}`
}
