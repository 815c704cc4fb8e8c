import { isObject } from '../../config/value-path.ts'

/**
 * The checks of a project whose commands were detected again without a person to agree to a loss: existing
 * checks stay as they are, new ones are added. Only commands that a flag decided about follow the new draft.
 */
export function keepChecks(
  present: unknown,
  drafted: unknown,
  decided: ReadonlySet<string> = new Set(),
): unknown[] {
  const kept = listOf(present).filter((check) => !decided.has(commandOf(check)))
  const known = new Set(kept.map(commandOf))
  return [...kept, ...listOf(drafted).filter((check) => !known.has(commandOf(check)))]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function commandOf(check: unknown): string {
  return String(isObject(check) ? check.command : check)
}
