import { type Case, type CaseId, isLive } from '../case.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CaseView } from '../view.ts'

/** The live case with this id, or the refusal that says there is none. */
export function findLive(view: CaseView, id: CaseId): Case | Refusal {
  const subject = view.get(id)
  const held = view.heldBy(id)
  if (held !== undefined) {
    return refuse(
      'InvalidStatus',
      `${id} is held: ${held}`,
      '"axiom store verify" shows what is wrong and what to do',
    )
  }
  if (isLive(subject)) return subject
  return subject
    ? refuse('NotFound', `${id} was deleted`, `"axiom case history ${id}" tells when and why`)
    : refuse('NotFound', `there is no case ${id}`, '"axiom case list" shows the cases there are')
}

export function isRefusal(value: object): value is Refusal {
  return (value as Partial<Refusal>).kind === 'refused'
}

/** Work under a fence counts only while a lease with that fence stands. */
export function staleFence(subject: Case, fence: number | undefined): Refusal | undefined {
  if (fence === undefined) return undefined
  const current = Object.values(subject.leases ?? {}).find((lease) => lease.fence === fence)
  if (current) return undefined
  return refuse(
    'StaleClaim',
    `fence ${fence} of ${subject.id} is no longer current; the newest given out is ${subject.fence ?? 0}`,
    `claim it again: "axiom case claim ${subject.id} --agent A"`,
  )
}
