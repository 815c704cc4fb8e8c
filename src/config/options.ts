import { configJsonSchema, type SchemaNode } from './schema.ts'
import type { ValuePath } from './value-path.ts'

export interface Option {
  /** `agents.maxConcurrent`. */
  readonly key: string
  /** `AXIOM_AGENTS_MAX_CONCURRENT`. */
  readonly variable: string
  readonly node: SchemaNode
}

let all: readonly Option[] | undefined

/** Every option that can be set on its own, in the order of the schema. */
export function listOptions(): readonly Option[] {
  all ??= collect(configJsonSchema(), '').filter(({ key }) => key !== '$schema' && key !== 'version')
  return all
}

function collect(node: SchemaNode, prefix: string): Option[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`
    return child.properties ? collect(child, key) : [{ key, variable: variableName(key), node: child }]
  })
}

function variableName(key: string): string {
  return `AXIOM_${key
    .replaceAll('.', '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`
}

/** The schema of one value, also inside lists, records and unions; undefined when there is no such option. */
export function schemaAt(path: ValuePath): SchemaNode | undefined {
  let nodes: SchemaNode[] = [configJsonSchema()]
  for (const step of path) {
    nodes = nodes.flatMap((node) => node.anyOf ?? [node]).flatMap((node) => childOf(node, step) ?? [])
  }
  return nodes[0]
}

function childOf(node: SchemaNode, step: string | number): SchemaNode | undefined {
  if (typeof step === 'number') return node.items
  const named = node.properties
  if (named && Object.hasOwn(named, step)) return named[step]
  const names = node.propertyNames?.enum
  if (names && !names.includes(step)) return undefined
  return node.additionalProperties || undefined
}

/** The names that may stand at a path, for suggestions. */
export function namesAt(path: ValuePath): readonly string[] {
  const node = schemaAt(path)
  const alternatives = node?.anyOf ?? (node ? [node] : [])
  return alternatives.flatMap((one) => [
    ...Object.keys(one.properties ?? {}),
    ...(one.propertyNames?.enum ?? []).map(String),
  ])
}

/** A description of the allowed values. */
export function describeAllowed(node: SchemaNode | undefined): string {
  if (node === undefined) return 'nothing of this name'
  if (node.enum) return `one of ${node.enum.join(', ')}`
  if (node.anyOf) return node.anyOf.map(describeAllowed).join(', or ')
  switch (node.type) {
    case 'integer':
      return `a whole number from ${node.minimum} to ${node.maximum}`
    case 'number':
      return `a number from ${node.minimum} to ${node.maximum}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return node.pattern ? `a text of the form ${node.pattern}` : 'a text that is not empty'
    case 'array':
      return `a list, each entry ${describeAllowed(node.items)}`
    default:
      return describeObject(node)
  }
}

function describeObject(node: SchemaNode): string {
  if (node.properties) return `an object with ${Object.keys(node.properties).join(', ')}`
  const names = node.propertyNames?.enum
  return names ? `an object whose names are of ${names.join(', ')}` : 'an object'
}
