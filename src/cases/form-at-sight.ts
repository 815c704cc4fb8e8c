import type { z as Zod } from 'zod'

/** Whether a value certainly matches the schema. False is no verdict: the schema itself must then decide. */
export type Sight = (value: unknown) => boolean

const NEVER: Sight = () => false

/**
 * A fast check derived from the schema. The schema itself copies what it reads and explains faults; a valid
 * value, as nearly all are, needs neither.
 */
export function sightOf(schema: Zod.core.$ZodType): Sight {
  const { def } = schema._zod as { def: Zod.core.$ZodTypes['_zod']['def'] }
  if (def.checks && def.checks.length > 0) return NEVER
  switch (def.type) {
    case 'string':
      return (value) => typeof value === 'string'
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'enum': {
      const allowed = new Set<unknown>(Object.values(def.entries))
      return (value) => allowed.has(value)
    }
    case 'optional': {
      const inner = sightOf(def.innerType)
      return (value) => value === undefined || inner(value)
    }
    case 'nullable': {
      const inner = sightOf(def.innerType)
      return (value) => value === null || inner(value)
    }
    case 'array': {
      const element = sightOf(def.element)
      return (value) => Array.isArray(value) && value.every(element)
    }
    case 'object':
      return sightOfObject(def.shape, def.catchall)
    default:
      return NEVER
  }
}

/** The check for an object that may have further fields. */
function sightOfObject(shape: Zod.core.$ZodShape, others: Zod.core.$ZodType | undefined): Sight {
  if (others?._zod.def.type !== 'unknown') return NEVER
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, sight: sightOf(schema) }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    for (const { name, sight } of fields) if (!sight((value as Record<string, unknown>)[name])) return false
    return true
  }
}
