import { isObject } from '../../config/value-path.ts'
import type { Check } from '../../config/work-options.ts'
import type { Outcome } from '../proving/judge-run.ts'
import type { Proof } from '../proving/prove-commands.ts'
import { type DraftedCheck, limitOf } from './draft-config.ts'
import type { ProposalTrial, ProvenProposal } from './prove-proposal.ts'
import type { Proposal } from './read-proposal.ts'

/** The part of the rules' configuration that a proposal can change. */
export interface Draft {
  readonly config: Readonly<Record<string, unknown>>
  /** The checks that are in it. */
  readonly checks: readonly DraftedCheck[]
  /** Commands that passed in the rules' own trial. */
  readonly passed: readonly string[]
}

/**
 * Changes that weaken the rules' result or give agents more access, and therefore need a person's consent.
 */
export interface Consent {
  /** Commands of the rules that the proposal leaves out. */
  readonly leaveOut: readonly string[]
  readonly copy: readonly string[]
  readonly landing: boolean
}

export type Settled =
  | { readonly kind: 'taken'; readonly config: Record<string, unknown>; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

/** The checks of the rules that a proposal does not mention. */
export function omittedChecks({ checks }: Draft, proposal: Proposal): DraftedCheck[] {
  return checks.filter(({ command }) => !proposal.checks.some((check) => check.command === command))
}

export function setupOf({ config: { workspace } }: Draft): string[] {
  const setup = isObject(workspace) ? workspace.setup : undefined
  return Array.isArray(setup) ? setup.map(String) : []
}

/** The proposed set-up must serve the rules' checks as well, so all of them are tried with it. */
export function planTrial(
  draft: Draft,
  proposal: Proposal,
  { leaveOut }: Consent,
): Omit<ProposalTrial, 'units'> {
  const others = omittedChecks(draft, proposal).filter(({ command }) => !leaveOut.includes(command))
  const own = draft.config.workspace
  const variables = isObject(own) && isObject(own.variables) ? own.variables : {}
  return {
    setup: proposal.setup ?? setupOf(draft),
    checks: [...proposal.checks, ...others.map(wholeCheck)],
    variables: { ...asTexts(variables), ...proposal.variables },
  }
}

function wholeCheck({ name, command, timeout = TIMEOUT_DEFAULT_S, required }: DraftedCheck): Check {
  return { name, command, timeout, required: required !== false, environments: {} }
}

function asTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

const TIMEOUT_DEFAULT_S = 300

/** Accepts what passed, keeps what the rules had proven, and reports the rest. Pure. */
export function settleProposal(
  draft: Draft,
  proposal: Proposal,
  proven: ProvenProposal,
  consent: Consent,
): Settled {
  const worse = findWorse(draft, proposal, proven)
  if (worse !== undefined) return { kind: 'refused', reason: worse }
  const notes: string[] = []
  const checks = proven.checks.flatMap((one) => settleCheck(draft, one, notes))
  for (const { command } of omittedChecks(draft, proposal)) {
    if (consent.leaveOut.includes(command)) notes.push(`left out, as you chose: ${command}`)
    else notes.push(`kept, though the proposal leaves it out: ${command}`)
  }
  const workspace = settleWorkspace(draft, proposal, checks.length > 0, consent, notes)
  const { workspace: _before, ...rest } = draft.config
  const config = {
    ...rest,
    verification: checks,
    ...(Object.keys(workspace).length > 0 ? { workspace } : {}),
    integration: settleLanding(draft, proposal, consent, notes),
  }
  return { kind: 'taken', config, notes }
}

/** A proposal with worse results than the rules is rejected as a whole. */
function findWorse(draft: Draft, proposal: Proposal, { setup, checks }: ProvenProposal): string | undefined {
  const changesSetup =
    proposal.setup !== undefined && JSON.stringify(proposal.setup) !== JSON.stringify(setupOf(draft))
  const broken = setup.find(({ outcome }) => outcome.kind !== 'passed')
  if (changesSetup && broken) return `its set-up ${broken.command}: ${showOutcome(broken.outcome)}`
  const red = checks.find(
    ({ check, proofs }) => draft.passed.includes(check.command) && failureIn(proofs) !== undefined,
  )
  const outcome = red && failureIn(red.proofs)
  if (red === undefined || outcome === undefined) return undefined
  return `${red.check.command} passed by the rules and does not with it: ${showOutcome(outcome)}`
}

function failureIn(proofs: readonly Proof[]): Outcome | undefined {
  return proofs.find(({ outcome }) => outcome.kind !== 'passed')?.outcome
}

function settleCheck(
  { checks }: Draft,
  { check, proofs }: ProvenProposal['checks'][number],
  notes: string[],
): Record<string, unknown>[] {
  const { name, command, timeout, required, environments } = check
  const drafted = checks.find((known) => known.command === command)
  const failure = failureIn(proofs)
  const variants = Object.keys(environments).length > 0 && failure === undefined ? { environments } : {}
  if (drafted !== undefined) {
    if (!required && drafted.required !== false) notes.push(`stays required: ${command}`)
    return [{ ...drafted, ...variants }]
  }
  if (failure !== undefined) {
    notes.push(`not written: ${command}: ${showOutcome(failure)}`)
    return []
  }
  const slowest = Math.max(...proofs.map(({ seconds }) => seconds))
  const limit = Math.max(timeout, limitOf(slowest).timeout ?? 0)
  return [
    {
      name: checks.some((known) => known.name === name) ? command : name,
      command,
      ...(limit === TIMEOUT_DEFAULT_S ? {} : { timeout: limit }),
      ...(required ? {} : { required: false }),
      ...variants,
    },
  ]
}

function settleWorkspace(
  draft: Draft,
  { setup, setupTimeout, variables, copy }: Proposal,
  isProven: boolean,
  consent: Consent,
  notes: string[],
): Record<string, unknown> {
  const before = isObject(draft.config.workspace) ? draft.config.workspace : {}
  const known = Array.isArray(before.copy) ? before.copy.map(String) : []
  const wanted = copy.filter((path) => !known.includes(path))
  for (const path of wanted.filter((one) => !consent.copy.includes(one))) {
    notes.push(`not copied without your word: ${path} (--copy ${path})`)
  }
  const copied = [...known, ...wanted.filter((path) => consent.copy.includes(path))]
  const names = Object.keys(variables)
  if (!isProven && names.length > 0) {
    notes.push(`not written, since no check ran with them: ${names.join(', ')}`)
  }
  const filled = { ...(isObject(before.variables) ? before.variables : {}), ...(isProven ? variables : {}) }
  const { setup: _setup, ...others } = before
  const lines = setup ?? setupOf(draft)
  return {
    ...others,
    ...(lines.length > 0 ? { setup: lines } : {}),
    ...(copied.length > 0 ? { copy: copied } : {}),
    ...(Object.keys(filled).length > 0 ? { variables: filled } : {}),
    ...(setupTimeout === undefined ? {} : { setupTimeout }),
  }
}

/** Whether the proposal changes how work lands. */
export function changesLanding({ config }: Draft, { target, mode }: Proposal): boolean {
  const before = isObject(config.integration) ? config.integration : {}
  return (
    (target !== undefined && target !== before.target) ||
    (mode !== undefined && mode !== (before.mode ?? 'direct'))
  )
}

function settleLanding(draft: Draft, proposal: Proposal, consent: Consent, notes: string[]): unknown {
  const { target, mode } = proposal
  const before = isObject(draft.config.integration) ? draft.config.integration : {}
  if (!changesLanding(draft, proposal)) return before
  const asked = [mode, target].filter((word) => word !== undefined).join(', ')
  if (!consent.landing) {
    notes.push(`where work lands is not changed without your word: ${asked}`)
    return before
  }
  return { ...before, ...(target === undefined ? {} : { target }), ...(mode === undefined ? {} : { mode }) }
}

export function showOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'passed':
      return 'passed'
    case 'failed':
      return `exit code ${outcome.exitCode}`
    case 'no-tests':
      return 'there are no tests'
    case 'timed-out':
      return 'still running at its limit'
    case 'tool-missing':
      return `${outcome.tool} is not installed here`
    case 'not-run':
      return outcome.reason
  }
}
