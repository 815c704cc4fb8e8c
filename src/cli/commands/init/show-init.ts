import { identityOf } from '../../../personas/identities.ts'
import type { DetectedUnit } from '../../../planning/detection/detected.ts'
import { type Choices, nameCheck } from '../../../planning/onboarding/draft-config.ts'
import type { Proof } from '../../../planning/proving/prove-commands.ts'
import { PERSONAS, type Vocabulary } from '../../../vocabulary/vocabulary.ts'
import type { Colors } from '../../context.ts'
import type { Examined } from './examine-project.ts'

/** The texts of a first start: pure functions from values to lines. */

export function showUnit(unit: DetectedUnit): string[] {
  const frameworks = unit.frameworks.length > 0 ? ` (${unit.frameworks.join(', ')})` : ''
  const members = unit.members.length > 0 ? `, ${unit.members.length} members` : ''
  const where = unit.folder === '' ? '' : ` in ${unit.folder}/`
  return [
    `  ${unit.language} with ${unit.packageManager}${frameworks}${members}${where}`,
    ...unit.notes.map((note) => `    note: ${note}`),
  ]
}

export function showProof(proof: Proof, units: readonly DetectedUnit[], colors: Colors): string[] {
  const name = nameCheck(proof, units).padEnd(NAME_WIDTH)
  const mark =
    proof.outcome.kind === 'passed'
      ? colors.green('✓')
      : proof.outcome.kind === 'failed'
        ? colors.red('✗')
        : colors.yellow('?')
  const tail = proof.tail === '' ? [] : proof.tail.split('\n').map((line) => colors.dim(`      ${line}`))
  return [`  ${mark} ${name} ${proof.command}  ${colors.dim(showOutcome(proof))}`, ...tail]
}

const NAME_WIDTH = 6

function showOutcome({ kind, outcome, seconds }: Proof): string {
  const time = `${seconds.toFixed(1)} s`
  switch (outcome.kind) {
    case 'passed':
      return `passed in ${time}`
    case 'failed':
      return `${kind === 'setup' ? 'failed' : 'RED'}: exit code ${outcome.exitCode} after ${time}`
    case 'no-tests':
      return `ran in ${time}, but there are no tests`
    case 'timed-out':
      return `not proven: still running after ${time}`
    case 'tool-missing':
      return `not proven: ${outcome.tool} is not installed here`
    case 'not-run':
      return `not proven: ${outcome.reason}`
  }
}

const CONSEQUENCES: Readonly<Record<Choices['red'], string>> = {
  keep: 'Autopilot will not start on a red target. Repair it first, or choose with --red optional or --red drop.',
  optional: 'These checks run, but changes land while they are red, as you chose.',
  drop: 'These checks are left out, as you chose.',
}

/** States clearly what the trials mean. */
export function showVerdict(proofs: readonly Proof[], kept: number, choices: Choices): string[] {
  const tried = proofs.filter(({ kind }) => kind !== 'setup')
  const red = tried.filter(({ outcome }) => outcome.kind === 'failed')
  const lines: string[] = []
  if (red.length > 0) {
    const commands = red.map(({ command }) => command).join(', ')
    lines.push(
      `The project is RED before any work: ${red.length} of ${tried.length} checks fail on the last commit (${commands}).`,
      `  ${CONSEQUENCES[choices.red]}`,
    )
  }
  if (kept === 0) {
    lines.push(
      'VERIFICATION_EMPTY: no check is configured, so nothing would be proven before it lands.',
      `  Add one: axiom config set verification '["your test command"]'`,
    )
  }
  return lines
}

/** What a workspace would lack, and the flag for each offer that was declined. */
export function showOffers({ surroundings }: Examined, choices: Choices): string[] {
  const { hooks, environmentFiles, missingEnvironment, ports, databases } = surroundings
  const lines: string[] = []
  for (const { tool, command, note } of hooks) {
    if (command === undefined) lines.push(`${tool}: ${note}`)
    else if (choices.hooks.length === 0) {
      lines.push(`${tool} hooks do not run in workspaces; as a check: --hooks-as-checks (${command})`)
    }
  }
  const uncopied = environmentFiles.filter((name) => !choices.copy.includes(name))
  if (uncopied.length > 0) {
    lines.push(`${uncopied.join(', ')} not in git; agents get a copy only with: --copy ${uncopied[0]}`)
  }
  if (missingEnvironment !== undefined) {
    lines.push(
      `${missingEnvironment} describes settings that a workspace will not have; see workspace.variables`,
    )
  }
  for (const [name, port] of Object.entries(ports)) {
    if (choices.variables[name] === undefined) {
      lines.push(`${name} ${port}: two agents at once would clash; one port each: --slot-ports`)
    }
  }
  const kinds = Object.entries(databases).map(([name, kind]) => `${kind} (${name})`)
  if (kinds.length > 0) {
    lines.push(
      `${kinds.join(', ')}: give each agent a database of its own with workspace.variables and {slot}`,
    )
  }
  return lines
}

export function showTeam(vocabulary: Vocabulary): string[] {
  return PERSONAS.map((persona) => {
    const { emoji, fullName, role } = identityOf(vocabulary, persona)
    return `  ${emoji}  ${fullName}: ${role}`
  })
}
