import { CONFIG_VERSION } from '../../config/schema.ts'
import type { DetectedUnit } from '../detection/detected.ts'
import type { Outcome } from '../proving/judge-run.ts'
import type { Proof } from '../proving/prove-commands.ts'

/** What only a person can decide; each has a flag and a cautious default. */
export interface Choices {
  readonly vocabulary: string
  /** The branch that work lands on. */
  readonly target?: string
  readonly driver?: string
  /** What to do with a check that fails before any work is done. */
  readonly red: 'keep' | 'optional' | 'drop'
  /** Whether a command that could not be tried is written. */
  readonly keepUnproven: boolean
  readonly hooks: readonly { readonly tool: string; readonly command: string }[]
  readonly copy: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

const LIMIT_SECONDS = 300
/** Under load, or in a growing project, a check is several times slower than in its first trial. */
const HEADROOM = 5

export interface DraftedCheck {
  readonly name: string
  readonly command: string
  readonly timeout?: number
  readonly required?: false
}

/** The configuration from the trials and the answers. Only differences from the defaults are written. */
export function draftConfig(
  units: readonly DetectedUnit[],
  proofs: readonly Proof[],
  choices: Choices,
): Record<string, unknown> {
  const checks = draftChecks(units, proofs, choices)
  const setup = units
    .filter((unit) => unit.setup !== undefined && isUsed(unit, checks))
    .map((unit) => inFolder(unit.folder, unit.setup ?? ''))
  const workspace = {
    ...(setup.length > 0 ? { setup } : {}),
    ...(choices.copy.length > 0 ? { copy: choices.copy } : {}),
    ...(Object.keys(choices.variables).length > 0 ? { variables: choices.variables } : {}),
  }
  return {
    $schema: './config.schema.json',
    version: CONFIG_VERSION,
    vocabulary: choices.vocabulary,
    ...(choices.driver === undefined ? {} : { agents: { driver: choices.driver } }),
    verification: checks,
    ...(Object.keys(workspace).length > 0 ? { workspace } : {}),
    integration: { mode: 'direct', ...(choices.target === undefined ? {} : { target: choices.target }) },
  }
}

export function draftChecks(
  units: readonly DetectedUnit[],
  proofs: readonly Proof[],
  choices: Choices,
): DraftedCheck[] {
  const tried = proofs.filter(({ kind }) => kind !== 'setup')
  const checks = tried
    .filter(({ outcome }) => isWanted(outcome, choices))
    .map(
      (proof): DraftedCheck => ({
        name: nameCheck(proof, units),
        command: inFolder(proof.folder, proof.command),
        ...limitOf(proof.seconds),
        ...(proof.outcome.kind !== 'passed' && choices.red === 'optional'
          ? { required: false as const }
          : {}),
      }),
    )
  const hooks = choices.hooks.map(
    ({ tool, command }): DraftedCheck => ({ name: tool, command, required: false }),
  )
  return [...checks, ...hooks]
}

function isWanted(outcome: Outcome, choices: Choices): boolean {
  switch (outcome.kind) {
    case 'passed':
      return true
    case 'failed':
      return choices.red !== 'drop'
    default:
      return choices.keepUnproven
  }
}

export function limitOf(seconds: number): { timeout?: number } {
  const needed = Math.ceil(seconds * HEADROOM)
  return needed > LIMIT_SECONDS ? { timeout: needed } : {}
}

/** `test` alone, `test backend` beside others, `test Rust` where two stacks share one folder. */
export function nameCheck(
  proof: Pick<Proof, 'folder' | 'kind' | 'command'>,
  units: readonly DetectedUnit[],
): string {
  if (units.length === 1) return proof.kind
  const inSame = units.filter(({ folder }) => folder === proof.folder)
  if (inSame.length === 1 && proof.folder !== '') return `${proof.kind} ${proof.folder}`
  const unit = inSame.find(
    ({ commands, setup }) =>
      setup === proof.command || commands.some(({ command }) => command === proof.command),
  )
  return [proof.kind, unit?.language, proof.folder].filter(Boolean).join(' ')
}

function isUsed(unit: DetectedUnit, checks: readonly DraftedCheck[]): boolean {
  return unit.commands.some(({ command }) =>
    checks.some((check) => check.command === inFolder(unit.folder, command)),
  )
}

/** A line that works from the root of the repository. */
export function inFolder(folder: string, command: string): string {
  return folder === '' ? command : `cd ${quote(folder)} && ${command}`
}

function quote(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`
}
