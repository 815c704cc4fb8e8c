import { stripEscapes } from './count-tests.ts'

/**
 * Output of a red check for the agent: enough to see the fault, little enough to leave context for its work.
 */
const FEEDBACK_CHARACTERS_MAX = 6_000
const LINE_CHARACTERS_MAX = 400
const LAST_LINES = 25
const CONTEXT_LINES = 3

const TELLING =
  /\b(?:error|fail(?:ed|ure|ing)?|fatal|panic(?:ked)?|exception|traceback|assert\w*|expected|received|actual|undefined|not found|cannot|denied|timed? ?out)\b|[✗✘×✖❯]|^\s*(?:at |E {2,}|--- FAIL|not ok|\+ |- )|:\d+:\d+/i

/** Keeps the lines that report a fault with their context, and the end; notes how much was left out. */
export function trimOutput(output: string, charactersMax = FEEDBACK_CHARACTERS_MAX): string {
  const lines = stripEscapes(output)
    .trimEnd()
    .split('\n')
    .map((line) => (line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)} […]` : line))
  const whole = lines.join('\n')
  if (whole.length <= charactersMax) return whole
  const wanted = new Set<number>()
  let left = charactersMax
  for (const i of byImportance(lines)) {
    const cost = (lines[i]?.length ?? 0) + 1
    if (wanted.has(i) || cost > left) continue
    wanted.add(i)
    left -= cost
  }
  return withGaps(lines, wanted)
}

/**
 * The end first, then each fault line with its context, from the first on: later faults often follow from
 * earlier.
 */
function* byImportance(lines: readonly string[]): Generator<number> {
  for (let i = lines.length - 1; i >= Math.max(0, lines.length - LAST_LINES); i -= 1) yield i
  for (const [i, line] of lines.entries()) {
    if (!TELLING.test(line)) continue
    yield i
    for (let step = 1; step <= CONTEXT_LINES; step += 1) {
      if (i - step >= 0) yield i - step
      if (i + step < lines.length) yield i + step
    }
  }
}

function withGaps(lines: readonly string[], wanted: ReadonlySet<number>): string {
  const shown: string[] = []
  let gap = 0
  for (const [i, line] of lines.entries()) {
    if (!wanted.has(i)) gap += 1
    else {
      if (gap > 0) shown.push(`[… ${gap} lines left out …]`)
      gap = 0
      shown.push(line)
    }
  }
  return shown.join('\n')
}
