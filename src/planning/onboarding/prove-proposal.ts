import { fillSlot } from '../../config/fill-slot.ts'
import type { Check } from '../../config/work-options.ts'
import type { CommandKind, DetectedUnit } from '../detection/detected.ts'
import { borrowPackages, type Proof, proveLine, type Trial } from '../proving/prove-commands.ts'

/** What is tried of a proposal: its checks, and the rules' checks that it does not mention. */
export interface ProposalTrial {
  readonly setup: readonly string[]
  readonly checks: readonly Check[]
  readonly variables: Readonly<Record<string, string>>
  /** For packages that cannot be installed here but are installed in the user's work tree. */
  readonly units: readonly Pick<DetectedUnit, 'folder' | 'dependencies'>[]
}

export interface ProvenProposal {
  readonly setup: readonly Proof[]
  /** One proof for each environment of the check. */
  readonly checks: readonly { readonly check: Check; readonly proofs: readonly Proof[] }[]
}

const SLOT = 1
const BECAUSE = 'an agent proposed it'

/** Runs the set-up, then every check once per environment, by the same code as the rules' own commands. */
export async function proveProposal(tried: ProposalTrial, trial: Trial): Promise<ProvenProposal> {
  const variables = filled(tried.variables)
  const run = async (kind: Proof['kind'], command: string, environment = {}): Promise<Proof> => {
    const line = { folder: '', kind, command, because: BECAUSE }
    const proof = await proveLine(line, { ...trial, variables: { ...variables, ...environment } })
    trial.ended(proof)
    return proof
  }
  const setup: Proof[] = []
  for (const line of tried.setup) setup.push(await run('setup', fillSlot(line, SLOT)))
  if (setup.some(({ outcome }) => outcome.kind !== 'passed')) {
    for (const unit of tried.units) await borrowPackages(unit, trial)
  }
  const checks: { check: Check; proofs: Proof[] }[] = []
  for (const check of tried.checks) {
    const environments = Object.values(check.environments)
    const proofs: Proof[] = []
    for (const environment of environments.length > 0 ? environments : [{}]) {
      proofs.push(await run(kindOf(check), check.command, filled(environment)))
    }
    checks.push({ check, proofs })
  }
  return { setup, checks }
}

function filled(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fillSlot(value, SLOT)]))
}

/** Only a check named as a test must have tests; for all others the exit code decides. */
export function kindOf({ name, command }: Pick<Check, 'name' | 'command'>): CommandKind {
  const words = `${name} ${command}`
  if (/\b(?:\w*test\w*|\w*spec)\b/i.test(words)) return 'test'
  if (/lint/i.test(words)) return 'lint'
  return /\b(?:types?|typecheck|tsc|mypy)\b/i.test(words) ? 'types' : 'build'
}
