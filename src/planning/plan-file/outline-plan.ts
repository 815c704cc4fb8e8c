import { FIELDS, type PlanRemark } from './plan.ts'

/** What the checks of keys and references need, read from a file that may be invalid elsewhere. */
export interface OutlineNode {
  readonly place: string
  readonly key: string | undefined
  readonly type: 'operation' | 'task'
  /** The position of its operation among the nodes; undefined for an operation. */
  readonly parent: number | undefined
  readonly dependsOn: readonly string[]
}

export interface Outline {
  readonly nodes: readonly OutlineNode[]
  readonly unknown: readonly PlanRemark[]
}

type Fields = Readonly<Record<string, unknown>>

export function outlinePlan(file: unknown): Outline {
  const nodes: OutlineNode[] = []
  const unknown: PlanRemark[] = []
  const plan = fieldsOf(file)
  const look = (fields: Fields, known: readonly string[], place: string) => {
    for (const name of Object.keys(fields).filter((word) => !known.includes(word))) {
      unknown.push({ place: place === '' ? name : `${place}.${name}`, message: 'unknown field, not used' })
    }
  }
  look(plan, FIELDS.plan, '')
  for (const [at, item] of listOf(plan.operations).entries()) {
    const operation = fieldsOf(item)
    const place = `operations[${at}]`
    look(operation, FIELDS.operation, place)
    const parent = nodes.push(nodeOf(operation, 'operation', place, undefined)) - 1
    for (const [below, child] of listOf(operation.tasks).entries()) {
      const task = fieldsOf(child)
      look(task, FIELDS.task, `${place}.tasks[${below}]`)
      nodes.push(nodeOf(task, 'task', `${place}.tasks[${below}]`, parent))
    }
  }
  return { nodes, unknown }
}

function nodeOf(
  fields: Fields,
  type: OutlineNode['type'],
  place: string,
  parent: number | undefined,
): OutlineNode {
  const key = typeof fields.key === 'string' && fields.key.trim() !== '' ? fields.key.trim() : undefined
  const dependsOn = listOf(fields.dependsOn).flatMap((word) =>
    typeof word === 'string' ? [word.trim()] : [],
  )
  return { place, key, type, parent, dependsOn }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
