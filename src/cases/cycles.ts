import type { CaseId } from './case.ts'

/**
 * Tarjan's strongly connected components over a graph given by its edges, without recursion, since a chain
 * of dependencies can be longer than the stack. Returns only components that hold a circle.
 */
export function findCycles(nodes: Iterable<CaseId>, edges: (id: CaseId) => readonly CaseId[]): CaseId[][] {
  const order = new Map<CaseId, number>()
  const low = new Map<CaseId, number>()
  const onStack = new Set<CaseId>()
  const stack: CaseId[] = []
  const cycles: CaseId[][] = []

  const enter = (id: CaseId) => {
    order.set(id, order.size)
    low.set(id, order.get(id) ?? 0)
    stack.push(id)
    onStack.add(id)
    return { id, targets: edges(id), next: 0 }
  }
  const lower = (id: CaseId, value: number | undefined) =>
    low.set(id, Math.min(low.get(id) ?? 0, value ?? Number.MAX_SAFE_INTEGER))

  for (const root of nodes) {
    if (order.has(root)) continue
    const path = [enter(root)]
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const target = frame.targets[frame.next]
      if (target !== undefined) {
        frame.next += 1
        if (!order.has(target)) path.push(enter(target))
        else if (onStack.has(target)) lower(frame.id, order.get(target))
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) lower(above.id, low.get(frame.id))
      if (low.get(frame.id) === order.get(frame.id)) {
        const component = stack.splice(stack.lastIndexOf(frame.id))
        for (const id of component) onStack.delete(id)
        if (component.length > 1 || edges(frame.id).includes(frame.id)) cycles.push(component)
      }
    }
  }
  return cycles
}

/** One circle through a component, as a readable path that ends where it starts. */
export function pathThrough(
  component: readonly CaseId[],
  edges: (id: CaseId) => readonly CaseId[],
): CaseId[] {
  const members = new Set(component)
  const start = component[0] ?? ''
  const cameFrom = new Map<CaseId, CaseId>()
  const open = [start]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const target of edges(at)) {
      if (target === start) {
        const path = [start]
        for (let id: CaseId | undefined = at; id !== undefined && id !== start; id = cameFrom.get(id))
          path.unshift(id)
        return [start, ...path]
      }
      if (members.has(target) && !cameFrom.has(target)) {
        cameFrom.set(target, at)
        open.push(target)
      }
    }
  }
  return [...component]
}
