import type { Definition, Role } from './definition.ts'
import { DELIVERY_LINES } from './definitions/delivery-lines.ts'
import { MARKERS } from './definitions/markers.ts'
import { SUPPORT_LINES } from './definitions/support-lines.ts'
import { TAGS } from './definitions/tags.ts'

/** The one table: parser, validation, the rules given to agents and `docs/signals.md` are made from it. */
export const REGISTRY = [...TAGS, ...DELIVERY_LINES, ...SUPPORT_LINES, ...MARKERS] as const

export type SignalName = (typeof REGISTRY)[number]['name']

/** Roles whose work *is* a verdict: ending an iteration without a signal starts the unknown-signal recovery. */
export const ROLES_OWING_A_SIGNAL: readonly Role[] = [
  'critic',
  'auditor',
  'resolver',
  'remediator',
  'health-auditor',
  'expert',
  'analyst',
]

const BY_NAME: ReadonlyMap<string, Definition & { name: SignalName }> = new Map(
  REGISTRY.map((definition) => [definition.name, definition]),
)

export function definitionOf(name: string): (Definition & { readonly name: SignalName }) | undefined {
  return BY_NAME.get(name)
}

/** Widened, so that callers can ask for any role without the literal types of the table. */
export function allows(definition: Definition, role: Role): boolean {
  return definition.roles.includes(role)
}
