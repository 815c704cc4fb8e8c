import { type Case, type CaseType, isLive } from '../case.ts'
import { CHILDREN, isCaseType, TRANSITIONS, withArticle } from '../case-types.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion, revise } from '../change.ts'
import { metadataFault } from '../metadata.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CaseView } from '../view.ts'
import { findLive, isRefusal } from './find.ts'

export function decideTransition(
  view: CaseView,
  command: CommandOf<'transition'>,
  occasion: Occasion,
): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const refusal =
    transitionFault(before, command.type) ??
    childrenFault(view, before, command.type) ??
    circleFault(view, before, command.type)
  if (refusal) return refusal

  const { deferredFrom: _, ...kept } = before.metadata
  const metadata = command.type === 'deferred' ? { ...before.metadata, deferredFrom: before.type } : kept
  const fault = metadataFault(command.type, metadata)
  if (fault !== undefined)
    return refuse('InvalidValue', fault, `mend it first: "axiom case update ${before.id}"`)

  const after = revise(before, occasion, {
    type: command.type,
    status: 'pending',
    metadata,
    leases: undefined,
  })
  const entry = entryOf(occasion, 'transition', command.reason, {
    from: { type: before.type, status: before.status },
    to: { type: after.type, status: after.status },
  })
  return accept({ after, entries: [entry] })
}

function transitionFault(before: Case, to: CaseType): Refusal | undefined {
  const allowed = allowedTypes(before)
  if (allowed.includes(to)) return undefined
  return refuse(
    'InvalidTransition',
    `${before.id} is ${withArticle(before.type)} and cannot become ${withArticle(to)}`,
    allowed.length > 0
      ? `it can become: ${allowed.join(', ')}`
      : `${withArticle(before.type)} never changes its type`,
  )
}

function allowedTypes(before: Case): readonly CaseType[] {
  const { deferredFrom } = before.metadata
  if (before.type !== 'deferred' || typeof deferredFrom !== 'string' || !isCaseType(deferredFrom)) {
    return TRANSITIONS[before.type]
  }
  // A task stands under an operation, where no draft can.
  return deferredFrom === 'task' ? ['task'] : [...new Set([...TRANSITIONS.deferred, deferredFrom])]
}

/** Tasks exist only under an operation, also after it turned into something else; deferring keeps them. */
function childrenFault(view: CaseView, before: Case, to: CaseType): Refusal | undefined {
  if (to === 'deferred') return undefined
  const orphans = view.children(before.id).filter((id) => {
    const child = view.get(id)
    return isLive(child) && !CHILDREN[to].includes(child.type) && child.type !== 'deferred'
  })
  if (orphans.length === 0) return undefined
  return refuse(
    'InvalidTransition',
    `${before.id} cannot become ${withArticle(to)} while it has ${orphans.slice(0, 20).join(', ')}`,
    `${withArticle(to)} can have: ${CHILDREN[to].join(', ') || 'no children'}; defer or delete the others first`,
  )
}

/**
 * An operation ends after the questions under it. What depends on the case would wait for that end, so none of these
 * questions may wait for what depends on it.
 */
function circleFault(view: CaseView, before: Case, to: CaseType): Refusal | undefined {
  if (to !== 'operation' || before.metadata.deferredFrom === 'operation') return undefined
  const children = view.children(before.id).filter((id) => isLive(view.get(id)))
  if (children.length === 0) return undefined
  for (const dependent of view.dependents(before.id)) {
    if (!isLive(view.get(dependent))) continue
    for (const child of children) {
      const path = child === dependent ? [child] : view.waitPath(child, dependent, 'start')
      if (path === undefined) continue
      const circle = [before.id, ...path, before.id]
      return refuse(
        'CIRCULAR_DEPENDENCY',
        `${before.id} cannot become an operation: ${circle.join(' → ')}`,
        'remove one edge of that path first: "axiom case undepend ID ON"',
        circle,
      )
    }
  }
  return undefined
}
