import type { CaseCommand } from '../../cases/command.ts'
import { type Covered, findCovered } from './find-covered.ts'
import { findCycleFaults, findExpertFaults, findKeyFaults, findLawFaults } from './find-plan-faults.ts'
import { findPlanWarnings } from './find-plan-warnings.ts'
import { type Outline, outlinePlan } from './outline-plan.ts'
import { type Plan, type PlanRemark, planForm } from './plan.ts'
import { nameOfKey, planCommands } from './plan-commands.ts'

export type ParsedPlan =
  | {
      readonly kind: 'valid'
      readonly plan: Plan
      readonly warnings: readonly PlanRemark[]
      /** The batch, given the digest of the stored spec text. */
      commands(specDigest: string): CaseCommand[]
    }
  | { readonly kind: 'invalid'; readonly faults: readonly PlanRemark[] }

/** Placeholder for the digest in a trial of the batch. */
const ANY_DIGEST = '0'.repeat(64)

/** Reads a plan file. Finds all faults at once: faults of form do not hide those of keys and circles. */
export function parsePlan(text: string): ParsedPlan {
  const file = parseJson(text)
  if (file.kind === 'invalid') return file
  const parsed = planForm.safeParse(file.value)
  const outline = outlinePlan(file.value)
  const faults = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => ({ place: placeAt(path), message }))),
    ...findKeyFaults(outline),
    ...findCycleFaults(outline),
    ...(parsed.success ? findExpertFaults(parsed.data) : []),
  ]
  if (!parsed.success || faults.length > 0) return { kind: 'invalid', faults }
  return judge(parsed.data, outline, findCovered(parsed.data))
}

function judge(plan: Plan, outline: Outline, covered: Covered): ParsedPlan {
  const commands = (digest: string) => planCommands(plan, covered, digest)
  const places = new Map(outline.nodes.map(({ key, place }) => [nameOfKey(key ?? ''), place]))
  const faults = findLawFaults(commands(ANY_DIGEST), (name) => places.get(name) ?? 'need')
  if (faults.length > 0) return { kind: 'invalid', faults }
  const warnings = [...outline.unknown, ...covered.warnings, ...findPlanWarnings(plan)]
  return { kind: 'valid', plan, warnings, commands }
}

type Json = { readonly kind: 'json'; readonly value: unknown } | Extract<ParsedPlan, { kind: 'invalid' }>

function parseJson(text: string): Json {
  try {
    return { kind: 'json', value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const message = `it is no JSON: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'invalid', faults: [{ place: 'file', message }] }
  }
}

function placeAt(path: readonly PropertyKey[]): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return place === '' ? 'file' : place.replace(/^\./, '')
}
