import type { Case, CaseId } from '../cases/case.ts'

/** A fault in the file that the store was loaded from. Damaged bytes are kept, never discarded. */
export type Damage =
  /** The last write did not end: cut off and kept in `savedTo`. It was never acknowledged. */
  | { readonly kind: 'torn-tail'; readonly line: number; readonly bytes: number; readonly savedTo: string }
  /** A line that cannot be read or fails its checksum; kept in `cases.jsonl.corrupt`. */
  | { readonly kind: 'corrupt-line'; readonly line: number; readonly id?: CaseId }
  /** A revision is missing between two that are there. */
  | { readonly kind: 'missing-revision'; readonly id: CaseId; readonly rev: number }
  /** Two different cases were given one id, on two branches or two machines. */
  | { readonly kind: 'two-cases'; readonly id: CaseId; readonly uids: readonly string[] }
  /** One case was changed in two ways at the same revision. */
  | { readonly kind: 'two-revisions'; readonly id: CaseId; readonly rev: number }
  /** One document was written in two ways at the same revision. */
  | { readonly kind: 'two-documents'; readonly name: string; readonly rev: number }
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
    case 'two-documents':
      return `document ${damage.name}: revision ${damage.rev} stands there in two versions`
    case 'merge-marker':
      return `line ${damage.line}: a marker of an unfinished git merge`
  }
}

/** Damage that keeps a case from changing until a person has looked at it. */
export function heldCase(damage: Damage): CaseId | undefined {
  return 'id' in damage ? damage.id : undefined
}

const UID = /"uid":"([^"]+)"/g
const ID_AND_REVISION = /\{"id":"([a-z]+-\d{3,15})","rev":(\d+)/g
const ID_AT_START = /^\{"id":"([a-z]+-\d{3,15})"/

/**
 * The cases that a damaged line was about. The damage may be in its id, so the uid is matched first; a lost
 * line break merges two lines into one.
 */
export function casesInDamagedLine(
  bytes: Buffer,
  cases: ReadonlyMap<CaseId, { readonly subject: Case }>,
): CaseId[] {
  const text = bytes.toString()
  const uids = new Set([...text.matchAll(UID)].map(([, uid = '']) => uid))
  const owners = [...cases.values()].filter(({ subject }) => uids.has(subject.uid))
  const found = new Set(owners.map(({ subject }) => subject.id))
  const named = [...text.matchAll(ID_AND_REVISION)].map(([, id = '', rev]) => ({ id, rev: Number(rev) }))
  const first = ID_AT_START.exec(text)?.[1]
  if (first !== undefined && named.length === 0) named.push({ id: first, rev: Number.POSITIVE_INFINITY })
  if (found.size >= Math.max(named.length, 1)) return [...found]
  for (const { id, rev } of named) {
    const known = cases.get(id)?.subject
    // A known revision does not need the line, and a line with a very different uid is about another case.
    if (!known || (rev > known.rev && (uids.size === 0 || [...uids].some((uid) => resemble(uid, known.uid)))))
      found.add(id)
  }
  return [...found]
}

/** Whether one uid may be the other with damaged bytes; two random uids never match this far. */
function resemble(a: string, b: string): boolean {
  const same = [...a].filter((character, at) => character === b[at]).length
  return same > b.length / 2
}
