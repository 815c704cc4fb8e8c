import { type Case, type CaseId, isDone, isLive } from './case.ts'
import { discoveryMetadata } from './metadata.ts'

/** Everything under a case, each after its parent; the case itself is not part of it. */
export function descendantsOf(cases: Iterable<Case>, id: CaseId): Case[] {
  const byParent = new Map<CaseId, Case[]>()
  for (const subject of cases) {
    if (subject.parentId === null || !isLive(subject)) continue
    const siblings = byParent.get(subject.parentId)
    if (siblings) siblings.push(subject)
    else byParent.set(subject.parentId, [subject])
  }
  const found: Case[] = []
  const open = [id]
  for (const at of open) {
    for (const child of byParent.get(at) ?? []) {
      found.push(child)
      open.push(child.id)
    }
  }
  return found
}

export type Satisfaction = 'complete' | 'continue' | 'needs_more_operations'

/**
 * How far the need of a directive is met. It is complete only when the spec says that it is covered, or
 * it was marked satisfied: operations that are all done do not prove that nothing was forgotten.
 */
export function satisfactionOf(directive: Case, cases: Iterable<Case>): Satisfaction {
  const operations = descendantsOf(cases, directive.id).filter(({ type }) => type === 'operation')
  if (operations.some((operation) => !isDone(operation))) return 'continue'
  if (operations.length > 0 && directive.metadata.satisfied === true) return 'complete'
  return 'needs_more_operations'
}

export function discoveriesByScope(cases: Iterable<Case>, scope: 'local' | 'global'): Case[] {
  return [...cases]
    .filter(
      (subject) =>
        subject.type === 'discovery' &&
        isLive(subject) &&
        discoveryMetadata(subject.metadata).scope === scope,
    )
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** The discoveries injected into an agent's prompts: all global ones, and those of its own persona. */
export function activeDiscoveries(cases: Iterable<Case>, agent?: string): Case[] {
  const all = [...cases].filter(({ status }) => status === 'active')
  const own = discoveriesByScope(all, 'local').filter(({ metadata }) => {
    const source = discoveryMetadata(metadata).sourceAgentId
    return agent !== undefined && personaOf(source) === personaOf(agent)
  })
  return [...discoveriesByScope(all, 'global'), ...own]
}

function personaOf(agent: string | undefined): string {
  return (agent ?? '').replace(/-\d+$/, '')
}
