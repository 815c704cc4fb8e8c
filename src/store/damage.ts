import type { CaseId } from '../cases/case.ts'

/** Something wrong with the file that the store was loaded from. Nothing of it is thrown away. */
export type Damage =
  /** The last write did not end: cut off and kept in `savedTo`. No answer had been given for it. */
  | { readonly kind: 'torn-tail'; readonly line: number; readonly bytes: number; readonly savedTo: string }
  /** A line that cannot be read or fails its checksum; kept in `cases.jsonl.corrupt`. */
  | { readonly kind: 'corrupt-line'; readonly line: number; readonly id?: CaseId }
  /** A revision is missing between two that are there. */
  | { readonly kind: 'missing-revision'; readonly id: CaseId; readonly rev: number }
  /** Two different cases were given one id, on two branches or two machines. */
  | { readonly kind: 'two-cases'; readonly id: CaseId; readonly uids: readonly string[] }
  /** One case was changed in two ways at the same revision. */
  | { readonly kind: 'two-revisions'; readonly id: CaseId; readonly rev: number }
  /** A line that git left in an unfinished merge. */
  | { readonly kind: 'merge-marker'; readonly line: number }

export function describeDamage(damage: Damage): string {
  switch (damage.kind) {
    case 'torn-tail':
      return `line ${damage.line}: an unfinished write of ${damage.bytes} bytes was cut off and kept in ${damage.savedTo}`
    case 'corrupt-line':
      return `line ${damage.line}: damaged, kept in cases.jsonl.corrupt${damage.id ? `; ${damage.id} is held` : ''}`
    case 'missing-revision':
      return `${damage.id}: revision ${damage.rev} is missing; the case is held`
    case 'two-cases':
      return `${damage.id}: ${damage.uids.length} different cases have this id (${damage.uids.join(', ')}); it is held`
    case 'two-revisions':
      return `${damage.id}: revision ${damage.rev} stands there in two versions; the case is held`
    case 'merge-marker':
      return `line ${damage.line}: a marker of an unfinished git merge`
  }
}

/** Damage that keeps a case from changing until a person has looked at it. */
export function heldCase(damage: Damage): CaseId | undefined {
  return 'id' in damage ? damage.id : undefined
}
