import type { Criterion, Issue } from '../signals/body-values.ts'
import type { Role } from '../signals/definition.ts'

/** Notes kept with the findings, for the next agent on the task and as a record of why it landed. */
export type NoteKind =
  | 'handover'
  | 'request'
  | 'advice'
  | 'report'
  | 'repair'
  | 'guidance'
  | 'refuted'
  | 'remark'
  | 'freed'
  | 'evidence'
  | 'command'
  | 'lost'

/** One objection of a reviewer to a change; with a kind, another note about the task. */
export interface ReviewFinding {
  readonly kind?: NoteKind
  /** The role that a note is for. */
  readonly to?: Role
  readonly text: string
  readonly file: string | null
  readonly line: number | null
  /** The acceptance criterion it names, as worded in the task. */
  readonly criterion: string | null
  readonly by: string
  readonly commit: string | null
}

/** What the change touched, by path: ranges of lines in the commit under review, both ends included. */
export type ChangedLines = Readonly<Record<string, readonly (readonly [number, number])[]>>

export interface Complaint {
  readonly issues: readonly Issue[]
  readonly failedCriteria: readonly Criterion[]
  readonly requiredFixes: readonly string[]
  /** The text of a failed review without a readable finding. */
  readonly unread?: string
}

export interface ContractTerms {
  readonly criteria: readonly string[]
  readonly changedLines: ChangedLines
  readonly by: string
  readonly commit: string | null
}

export interface Judgement {
  /** These send the work back. */
  readonly blocking: readonly ReviewFinding[]
  /** These become cases of their own: a reviewer never widens the task. */
  readonly aside: readonly ReviewFinding[]
}

/** Findings of one verdict that are read; a verdict with more is not a useful review. */
export const FINDINGS_PER_VERDICT_MAX = 100
/** A shorter text occurs in too many sentences to identify a quoted criterion. */
const QUOTED_CRITERION_CHARACTERS_MIN = 12

/**
 * The review contract: a finding blocks only if it names an acceptance criterion or a line that the change
 * touched. Required fixes say how, not what: they accompany blocking findings, and count as findings of
 * their own only where they name a criterion or nothing else was said. A complaint without any readable
 * finding blocks as it is: whether the reviewer kept to the contract is unknown, but the work did fail.
 */
export function judgeComplaint(complaint: Complaint, terms: ContractTerms): Judgement {
  const stated = [
    ...complaint.failedCriteria.map((entry) => fromCriterion(entry, terms)),
    ...complaint.issues.map((entry) => fromIssue(entry, terms)),
  ].slice(0, FINDINGS_PER_VERDICT_MAX)
  const fixes = complaint.requiredFixes
    .slice(0, FINDINGS_PER_VERDICT_MAX)
    .map((text) => fromIssue({ file: null, line: null, issue: text }, terms))
  const all = [...stated, ...fixes]
  if (all.length === 0 && complaint.unread !== undefined)
    return { blocking: [fromIssue({ file: null, line: null, issue: complaint.unread }, terms)], aside: [] }
  const blocks = (finding: ReviewFinding) => doesBlock(finding, terms.changedLines)
  const hasBlocking = all.some(blocks)
  return {
    blocking: [...stated.filter(blocks), ...(hasBlocking ? fixes : [])],
    aside: [
      ...stated.filter((finding) => !blocks(finding)),
      ...(!hasBlocking && stated.length === 0 ? fixes : []),
    ],
  }
}

function doesBlock(finding: ReviewFinding, changed: ChangedLines): boolean {
  if (finding.criterion !== null) return true
  const { file, line } = finding
  if (file === null || line === null) return false
  const path = file.replace(/^\.\//, '')
  if (!Object.hasOwn(changed, path)) return false
  return changed[path]?.some(([first, last]) => line >= first && line <= last) ?? false
}

function fromIssue({ file, line, issue }: Issue, { criteria, by, commit }: ContractTerms): ReviewFinding {
  return { text: issue, file, line, criterion: criterionIn(issue, criteria) ?? null, by, commit }
}

function fromCriterion(entry: Criterion, { criteria, by, commit }: ContractTerms): ReviewFinding {
  const text = entry.evidence === null ? entry.criterion : `${entry.criterion}: ${entry.evidence}`
  const criterion = criterionIn(entry.criterion, criteria) ?? null
  return { text, file: null, line: null, criterion, by, commit }
}

/** The criterion that a text names: by its number, by its words, or by quoting it. */
export function criterionIn(text: string, criteria: readonly string[]): string | undefined {
  const number = /\b(?:criterion|criteria|AC)\s*[-#]?\s*C?(\d{1,3})\b/i.exec(text)?.[1]
  if (number !== undefined) return criteria[Number(number) - 1]
  // Prompts number the criteria C1, C2, …; a lower-case c has another meaning.
  const short = /\bC(\d{1,3})\b/.exec(text)?.[1]
  const named = short === undefined ? undefined : criteria[Number(short) - 1]
  if (named !== undefined) return named
  const said = normalise(text)
  return criteria.find((criterion) => {
    const wanted = normalise(criterion)
    if (wanted === '' || said === '') return false
    return said === wanted || (wanted.length >= QUOTED_CRITERION_CHARACTERS_MIN && said.includes(wanted))
  })
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const SHOWN = new Set(['VERIFIED', 'PASSED', 'PASS', 'MET'])

/**
 * The criteria for which an audit shows no evidence: not named, not marked as met, or met without a proof.
 */
export function criteriaWithoutEvidence(
  criteria: readonly string[],
  shown: readonly Criterion[],
): readonly string[] {
  const proven = new Set(
    shown
      .filter(({ verdict, evidence }) => verdict !== null && SHOWN.has(verdict) && evidence !== null)
      .map(({ criterion }) => criterionIn(criterion, criteria)),
  )
  return criteria.filter((criterion) => !proven.has(criterion))
}
