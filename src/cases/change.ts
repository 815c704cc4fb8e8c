import type { Actor, Case, CaseType, HistoryEntry, Instant } from './case.ts'
import type { CaseCommand } from './command.ts'
import type { Refusal } from './refusal.ts'

/** Context that is neither in the cases nor in the command: actor, time, and a source of new identities. */
export interface Occasion {
  readonly now: Instant
  readonly by: Actor
  newUid(): string
  /** The id prefix of a type, which the vocabulary defines. */
  prefixOf(type: CaseType): string
}

/** The case after the change, and the entries to append to its history. */
export interface Change {
  readonly after: Case
  readonly entries: readonly HistoryEntry[]
}

export type Decision = { readonly kind: 'accepted'; readonly changes: readonly Change[] } | Refusal

export function accept(...changes: readonly Change[]): Decision {
  return { kind: 'accepted', changes }
}

export type CommandOf<Kind extends CaseCommand['kind']> = Extract<CaseCommand, { kind: Kind }>

/** The case with some fields replaced; a field given as undefined is removed. */
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

/** Each shape is written out: building an entry by field costs as much as the rest of a small change. */
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
