import { type Definition, ROLES, type Role } from './definition.ts'
import { DELIVERY_LINES } from './definitions/delivery-lines.ts'
import { MARKERS } from './definitions/markers.ts'
import { SUPPORT_LINES } from './definitions/support-lines.ts'
import { TAGS } from './definitions/tags.ts'
import { ROLE_TRAITS } from './role-traits.ts'

/** The one table: parser, validation, the rules given to agents and `docs/signals.md` are made from it. */
export const REGISTRY = [...TAGS, ...DELIVERY_LINES, ...SUPPORT_LINES, ...MARKERS] as const

export type SignalName = (typeof REGISTRY)[number]['name']

export const ROLES_OWING_A_SIGNAL: readonly Role[] = ROLES.filter((role) => ROLE_TRAITS[role].owesSignal)

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
