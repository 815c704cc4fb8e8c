/** One place at which both sides changed the same lines. */
export interface Hunk {
  readonly base: readonly string[]
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}

export type MergeRule = 'same-change' | 'white-space' | 'both-add'

/** Where indentation carries meaning, a change of it is a change. */
const INDENTED =
  /(?:\.(?:py|pyi|ya?ml|mk|mak|coffee|sass|styl|pug|haml|nim|hs|fs|md|rst)|(?:^|\/)[Mm]akefile)$/

/** Settles one hunk; undefined when no rule is certain. */
export function settleHunk(
  path: string,
  hunk: Hunk,
): { readonly rule: MergeRule; readonly lines: readonly string[] } | undefined {
  const { base, ours, theirs } = hunk
  if (same(ours, theirs)) return { rule: 'same-change', lines: ours }
  const squeeze = (lines: readonly string[]) => squeezeLines(path, lines)
  if (same(squeeze(ours), squeeze(theirs))) return { rule: 'white-space', lines: ours }
  if (base.length > 0 && same(squeeze(ours), squeeze(base))) return { rule: 'white-space', lines: theirs }
  if (base.length > 0 && same(squeeze(theirs), squeeze(base))) return { rule: 'white-space', lines: ours }
  if (base.length === 0 && !shareWords(ours, theirs)) return { rule: 'both-add', lines: [...ours, ...theirs] }
  return undefined
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, i) => line === right[i])
}

/** Collapses runs of blanks, drops trailing blanks and empty lines; `ab` and `a b` stay different. */
function squeezeLines(path: string, lines: readonly string[]): string[] {
  return lines
    .map((line) => {
      const indent = INDENTED.test(path) ? (/^[ \t]*/.exec(line)?.[0] ?? '') : ''
      return indent + line.trim().replace(/[ \t]+/g, ' ')
    })
    .filter((line) => line.trim() !== '')
}

/** Two additions that share a line with words may be two versions of one thing, which no rule may join. */
function shareWords(ours: readonly string[], theirs: readonly string[]): boolean {
  const wordy = new Set(ours.map((line) => line.trim()).filter((line) => /\w/.test(line)))
  return theirs.some((line) => wordy.has(line.trim()))
}

/** Longer than any marker likely to be in a file; `mergeSimply` still checks for one. */
export const MARKER_SIZE = 61

type Section = 'outside' | 'ours' | 'base' | 'theirs'

/** Reads the output of `merge-file --diff3` and settles each hunk; nothing when one of them has no rule. */
export function settleMarked(
  path: string,
  marked: string,
): { readonly text: string; readonly rules: readonly MergeRule[] } | undefined {
  const settled: string[] = []
  const rules = new Set<MergeRule>()
  let section: Section = 'outside'
  let hunk = { ours: [] as string[], base: [] as string[], theirs: [] as string[] }
  for (const line of marked.split('\n')) {
    const next = nextSection(section, line)
    if (next === undefined) {
      if (section === 'outside') settled.push(line)
      else hunk[section].push(line)
      continue
    }
    if (section === 'theirs') {
      const outcome = settleHunk(path, hunk)
      if (outcome === undefined) return undefined
      settled.push(...outcome.lines)
      rules.add(outcome.rule)
      hunk = { ours: [], base: [], theirs: [] }
    }
    section = next
  }
  return section === 'outside' ? { text: settled.join('\n'), rules: [...rules] } : undefined
}

const MARKERS: Record<Section, readonly [string, Section]> = {
  outside: ['<', 'ours'],
  ours: ['|', 'base'],
  base: ['=', 'theirs'],
  theirs: ['>', 'outside'],
}

function nextSection(section: Section, line: string): Section | undefined {
  const [mark, next] = MARKERS[section]
  const marker = mark.repeat(MARKER_SIZE)
  return line === marker || line.startsWith(`${marker} `) ? next : undefined
}
