import type { Actor, Case, CaseType, HistoryEntry, Instant } from './case.ts'
import type { CaseCommand } from './command.ts'
import type { Refusal } from './refusal.ts'

/** What is not in the cases and not in the command: who, when, and a source of new identities. */
export interface Occasion {
  readonly now: Instant
  readonly by: Actor
  newUid(): string
  /** The id prefix of a type: a matter of vocabulary. */
  prefixOf(type: CaseType): string
}

/** A case as it will be, and what its history gains. */
export interface Change {
  readonly after: Case
  readonly entries: readonly HistoryEntry[]
}

export type Decision = { readonly kind: 'accepted'; readonly changes: readonly Change[] } | Refusal

export function accept(...changes: readonly Change[]): Decision {
  return { kind: 'accepted', changes }
}

export type CommandOf<Kind extends CaseCommand['kind']> = Extract<CaseCommand, { kind: Kind }>

/** The case with some fields replaced; a field given as undefined is left out altogether. */
export function revise(
  before: Case,
  occasion: Occasion,
  fields: { [Key in keyof Case]?: Case[Key] | undefined },
): Case {
  const rev = before.rev + 1
  const after: Record<string, unknown> = { ...before, ...fields, rev, updatedAt: occasion.now }
  for (const key of Object.keys(fields)) if (after[key] === undefined) delete after[key]
  return after as unknown as Case
}

/** Each form is written out: an entry put together piece by piece costs as much as the rest of a small change. */
export function entryOf(
  occasion: Occasion,
  type: HistoryEntry['type'],
  reason: string,
  rest: Pick<HistoryEntry, 'from' | 'to'> | Pick<HistoryEntry, 'childIds'> = {},
): HistoryEntry {
  const { now: timestamp, by: actor } = occasion
  if ('childIds' in rest) return { timestamp, type, actor, reason, childIds: rest.childIds ?? [] }
  const { from, to } = rest as Pick<HistoryEntry, 'from' | 'to'>
  if (from && to) return { timestamp, type, from, to, actor, reason }
  return to ? { timestamp, type, to, actor, reason } : { timestamp, type, actor, reason }
}
