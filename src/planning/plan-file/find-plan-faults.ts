import { CaseIndex } from '../../cases/case-index.ts'
import { CASE_TYPES } from '../../cases/case-types.ts'
import type { Occasion } from '../../cases/change.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { type Executed, execute } from '../../cases/execute.ts'
import type { Refusal } from '../../cases/refusal.ts'
import type { Outline, OutlineNode } from './outline-plan.ts'
import type { Plan, PlanRemark } from './plan.ts'

/** Keys used by two nodes, and references without a key. */
export function findKeyFaults({ nodes }: Outline): PlanRemark[] {
  const first = new Map<string, OutlineNode>()
  const faults: PlanRemark[] = []
  for (const node of nodes) {
    if (node.key === undefined) continue
    const earlier = first.get(node.key)
    if (!earlier) first.set(node.key, node)
    else
      faults.push({
        place: `${node.place}.key`,
        message: `the key ${node.key} is already that of ${earlier.place}`,
      })
  }
  for (const node of nodes) {
    for (const [at, on] of node.dependsOn.entries()) {
      if (first.has(on)) continue
      const place = `${node.place}.dependsOn[${at}]`
      faults.push({ place, message: `no operation or task of this plan has the key ${on}` })
    }
  }
  return faults
}

/** Experts with the name of another, or for a task that does not exist. */
export function findExpertFaults({ experts, operations }: Plan): PlanRemark[] {
  const keys = new Set(operations.flatMap(({ tasks }) => tasks.map(({ key }) => key)))
  return experts.flatMap(({ name, tasks }, at) => [
    ...(experts.findIndex((other) => other.name === name) === at
      ? []
      : [{ place: `experts[${at}].name`, message: `another expert is called ${name} already` }]),
    ...tasks.flatMap((key, below) =>
      keys.has(key)
        ? []
        : [{ place: `experts[${at}].tasks[${below}]`, message: `no task of this plan has the key ${key}` }],
    ),
  ])
}

/**
 * Circular dependencies, found by the laws of cases: the plan's shape is built in a scratch index, edge by
 * edge, and an edge that the laws refuse is a fault. The search continues without it, so that all are found.
 */
export function findCycleFaults({ nodes }: Outline): PlanRemark[] {
  const scratch = new Scratch()
  const root = scratch.create({ kind: 'create', type: 'directive', content: 'need' })
  const ids: string[] = []
  const idOfKey = new Map<string, string>()
  for (const { key, type, parent } of nodes) {
    const parentId = parent === undefined ? root : (ids[parent] ?? root)
    const id = scratch.create({ kind: 'create', type, content: 'planned', parentId })
    ids.push(id)
    if (key !== undefined && !idOfKey.has(key)) idOfKey.set(key, id)
  }
  const keyOfId = new Map([...idOfKey].map(([key, id]) => [id, key]))
  const faults: PlanRemark[] = []
  for (const [at, node] of nodes.entries()) {
    for (const [edge, word] of node.dependsOn.entries()) {
      const on = idOfKey.get(word)
      if (on === undefined || node.dependsOn.indexOf(word) !== edge) continue
      const refusal = scratch.run({ kind: 'depend', id: ids[at] ?? '', on })
      if (refusal.kind !== 'refused') continue
      const path = refusal.path?.map((id) => keyOfId.get(id) ?? nodes[ids.indexOf(id)]?.place ?? id)
      const message = path ? `circular: ${path.join(' → ')}` : `${word} cannot wait for itself`
      faults.push({ place: `${node.place}.dependsOn[${edge}]`, message })
    }
  }
  return faults
}

/** The refusals of the laws of cases for the batch of a plan whose form, keys and references are valid. */
export function findLawFaults(
  commands: readonly CaseCommand[],
  placeOf: (name: string) => string,
): PlanRemark[] {
  const scratch = new Scratch()
  const root = scratch.create({ kind: 'create', type: 'directive', content: 'need' })
  const operation = scratch.create({ kind: 'create', type: 'operation', content: 'planned', parentId: root })
  const faults: PlanRemark[] = []
  for (const command of commands) {
    if (command.kind !== 'create') continue
    const parentId = command.parentId ? (command.type === 'task' ? operation : root) : null
    const outcome = scratch.run({ ...command, parentId })
    if (outcome.kind === 'refused')
      faults.push({ place: placeOf(command.as ?? ''), message: `${outcome.message}; ${outcome.hint}` })
  }
  if (faults.length > 0) return faults
  const whole = execute(new CaseIndex(), commands, OCCASION)
  return whole.kind === 'refused' ? [{ place: 'file', message: `${whole.message}; ${whole.hint}` }] : []
}

const OCCASION: Occasion = {
  now: new Date(0).toISOString(),
  by: 'user',
  newUid: () => 'scratch',
  prefixOf: (type) => CASE_TYPES[type].prefix,
}

class Scratch {
  readonly #index = new CaseIndex()

  run(command: CaseCommand): Executed | Refusal {
    return execute(this.#index, [command], OCCASION)
  }

  create(command: CaseCommand): string {
    const outcome = this.run(command)
    return outcome.kind === 'accepted' ? (outcome.created[0] ?? '') : ''
  }
}
