import type { FieldKind } from './definition.ts'

export interface FileChange {
  readonly path: string
  readonly description: string | null
}

export interface Criterion {
  readonly criterion: string
  /** `VERIFIED`, `FAILED`, or the agent's own word in capitals. */
  readonly verdict: string | null
  readonly evidence: string | null
}

export interface Check {
  readonly check: string
  readonly environment: string | null
  readonly result: string | null
  readonly detail: string | null
  readonly exit: number | null
  readonly output: string | null
}

export interface Issue {
  readonly file: string | null
  readonly line: number | null
  readonly issue: string
}

export interface ChecklistEntry {
  readonly text: string
  readonly isDone: boolean
}

/** A thing and what is said of it: an option and why it does not do, a fault and its fix, an aspect and its grade. */
export interface Reason {
  readonly subject: string
  readonly detail: string | null
}

export interface Trigger {
  readonly role: string | null
  readonly when: string
}

export interface FieldValues {
  line: string
  prose: string
  choice: string
  count: number
  names: readonly string[]
  list: readonly string[]
  files: readonly FileChange[]
  criteria: readonly Criterion[]
  checks: readonly Check[]
  issues: readonly Issue[]
  checklist: readonly ChecklistEntry[]
  reasons: readonly Reason[]
  triggers: readonly Trigger[]
  prompt: string
}

const VERDICT =
  /^(.*?)(?::|\s[-–—])\s{0,8}[^\w\s]{0,4}\s?(VERIFIED|FAILED|PASSED|PASS|FAIL|ERROR|SKIPPED|UNVERIFIED|NOT VERIFIED|NOT MET|MET)\b(.*)$/is
const ENVIRONMENT_LAST = /^(.*\S)\s*\(([^()]{1,200})\)$/s
const ENVIRONMENT_FIRST = /^\s*\(([^()]{1,200})\)(.*)$/s
const ISSUE = /^([^\s:][^:]*):(\d{1,7})(?:[-–]\d{1,7}|:\d{1,7})?(?::|\s+[-–—])\s*(.*)$/s
const FILE_ONLY = /^([^\s:]*[./\\][^\s:]*):\s+(.*)$/s
const TICK = /^\[([ xX✓])\]\s*/
const TRIGGER = /^(.{1,80}?)\s+should ask when:?\s*(.*)$/is
const EXIT = /^\s*exit(?: code)?\s*:\s*(-?\d{1,6})\s*$/i
const OUTPUT = /^\s*output\s*:\s*(.*)$/i

/** The entry of a list in its typed form; one function per kind of list. */
export const READ_ENTRY = {
  list: plain,
  names: plain,
  files: (entry: string): FileChange => {
    const { subject, detail } = readReason(entry)
    return { path: unquote(subject), description: detail }
  },
  criteria: readCriterion,
  checks: readCheck,
  issues: readIssue,
  checklist: (entry: string): ChecklistEntry => ({
    text: plain(entry.replace(TICK, '')),
    isDone: /[xX✓]/.test(TICK.exec(entry)?.[1] ?? ''),
  }),
  reasons: readReason,
  triggers: (entry: string): Trigger => {
    const match = TRIGGER.exec(plain(entry))
    return { role: match?.[1] ?? null, when: match?.[2] ?? plain(entry) }
  },
} as const satisfies Partial<{ [Kind in FieldKind]: (entry: string) => unknown }>

/** Takes emphasis and code marks off a whole entry or word. */
export function plain(text: string): string {
  return unquote(text.trim().replaceAll('**', '').replaceAll('__', '').trim())
}

function unquote(text: string): string {
  const isQuoted =
    text.length > 2 && text.startsWith('`') && text.endsWith('`') && !text.slice(1, -1).includes('`')
  return isQuoted ? text.slice(1, -1) : text
}

function readReason(entry: string): Reason {
  const text = plain(entry)
  const colon = /:(?=\s|$)/.exec(text)
  if (colon === null) return { subject: text, detail: null }
  return { subject: plain(text.slice(0, colon.index)), detail: textOrNull(text.slice(colon.index + 1)) }
}

function readCriterion(entry: string): Criterion {
  const text = plain(entry)
  const match = VERDICT.exec(text)
  if (match === null) {
    const { subject, detail } = readReason(text)
    return { criterion: subject, verdict: null, evidence: detail }
  }
  return {
    criterion: (match[1] ?? '').trim(),
    verdict: (match[2] ?? '').toUpperCase(),
    evidence: textOrNull((match[3] ?? '').replace(/^\s*[-–—:]\s*/, '')),
  }
}

function readCheck(entry: string): Check {
  const [head = '', ...below] = entry.split('\n')
  const { criterion, verdict, evidence } = readCriterion(head)
  const before = ENVIRONMENT_LAST.exec(criterion)
  const after = before === null && evidence !== null ? ENVIRONMENT_FIRST.exec(evidence) : null
  const detail = after === null ? evidence : textOrNull((after[2] ?? '').replace(/^\s*[-–—:]\s*/, ''))
  return {
    check: plain(before?.[1] ?? criterion),
    environment: before?.[2] ?? after?.[1] ?? null,
    result: verdict,
    detail,
    ...readOutcome(below),
  }
}

/** The lines below a failed check: its exit code, and everything it printed. */
function readOutcome(lines: readonly string[]): Pick<Check, 'exit' | 'output'> {
  let exit: number | null = null
  let output: string[] | null = null
  for (const line of lines) {
    const code: RegExpExecArray | null = output === null ? EXIT.exec(line) : null
    const printed: RegExpExecArray | null = output === null ? OUTPUT.exec(line) : null
    if (code !== null) exit = Number(code[1])
    else if (printed !== null) output = [printed[1] ?? '']
    else output?.push(line)
  }
  return { exit, output: output === null ? null : output.join('\n').trim() }
}

function readIssue(entry: string): Issue {
  const text = plain(entry)
  const bare = text.replace(/^`([^`]{1,400})`/, '$1')
  const placed = ISSUE.exec(bare)
  if (placed !== null)
    return { file: placed[1] ?? null, line: Number(placed[2]), issue: (placed[3] ?? '').trim() }
  const file = FILE_ONLY.exec(bare)
  if (file !== null) return { file: file[1] ?? null, line: null, issue: (file[2] ?? '').trim() }
  return { file: null, line: null, issue: text }
}

function textOrNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}
