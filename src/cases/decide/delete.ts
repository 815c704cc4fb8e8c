import { type Case, type CaseId, isLive } from '../case.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion, revise } from '../change.ts'
import { refuse } from '../refusal.ts'
import type { CaseView } from '../view.ts'
import { findLive, isRefusal } from './find.ts'

/** Only marks the case as deleted: it keeps its id, its text and its history. */
export function decideDelete(view: CaseView, command: CommandOf<'delete'>, occasion: Occasion): Decision {
  const top = findLive(view, command.id)
  if (isRefusal(top)) return top
  const doomed = subtree(view, top)
  if (doomed.length > 1 && command.cascade !== true) {
    const below = doomed.slice(1, 21).map(({ id }) => id)
    return refuse(
      'InvalidStatus',
      `${top.id} has ${below.join(', ')} under it`,
      'delete those first, or all of it with --cascade',
    )
  }
  const gone = new Set(doomed.map(({ id }) => id))
  const waiting = doomed.flatMap(({ id }) =>
    liveDependents(view, id)
      .filter((other) => !gone.has(other))
      .map((other) => ({ other, id })),
  )
  const [first] = waiting
  if (first) {
    const edges = waiting.slice(0, 20).map(({ other, id }) => `${other} → ${id}`)
    return refuse(
      'InvalidStatus',
      `${top.id} cannot be deleted: it is waited for, ${edges.join(', ')}`,
      `remove the dependency first: "axiom case undepend ${first.other} ${first.id}"`,
    )
  }
  return accept(
    ...doomed.map((before) => ({
      after: revise(before, occasion, { deletedAt: occasion.now, leases: undefined }),
      entries: [entryOf(occasion, 'update', `deleted: ${command.reason}`)],
    })),
  )
}

function subtree(view: CaseView, top: Case): Case[] {
  const found = [top]
  for (const parent of found) {
    for (const id of view.children(parent.id)) {
      const child = view.get(id)
      if (isLive(child)) found.push(child)
    }
  }
  return found
}

function liveDependents(view: CaseView, id: CaseId): CaseId[] {
  return [...view.dependents(id)].filter((other) => isLive(view.get(other)))
}
