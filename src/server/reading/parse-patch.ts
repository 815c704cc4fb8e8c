import type { DiffHunk, DiffLine } from '../contract.ts'

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/
const SIDES: Readonly<Record<string, DiffLine['side']>> = { ' ': 'both', '-': 'old', '+': 'new' }

/**
 * The hunks of a patch, per file in git's own order. A line of a file can look like anything, even a header;
 * only the counts in the hunk header say where the hunk ends.
 */
export function parsePatch(text: string): DiffHunk[][] {
  const files: DiffHunk[][] = []
  let hunk: OpenHunk | undefined
  for (const line of text.split('\n')) {
    if (hunk && line.startsWith('\\')) {
      hunk.endUnfinished()
      continue
    }
    if (hunk?.wantsMore) {
      hunk.add(line)
      continue
    }
    if (line.startsWith('diff --git ')) {
      files.push([])
      hunk = undefined
      continue
    }
    const match = HUNK.exec(line)
    if (!match) continue
    hunk = new OpenHunk(match)
    files.at(-1)?.push(hunk.value)
  }
  return files
}

class OpenHunk {
  readonly value: DiffHunk
  readonly #lines: DiffLine[] = []
  #oldLeft: number
  #newLeft: number

  constructor([
    ,
    oldStart = '',
    oldLines = '1',
    newStart = '',
    newLines = '1',
    heading = '',
  ]: RegExpExecArray) {
    this.#oldLeft = Number(oldLines)
    this.#newLeft = Number(newLines)
    this.value = {
      oldStart: Number(oldStart),
      oldLines: this.#oldLeft,
      newStart: Number(newStart),
      newLines: this.#newLeft,
      heading,
      lines: this.#lines,
    }
  }

  get wantsMore(): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0
  }

  add(line: string): void {
    const side = SIDES[line.charAt(0)] ?? 'both'
    if (side !== 'new') this.#oldLeft -= 1
    if (side !== 'old') this.#newLeft -= 1
    this.#lines.push({ side, text: line.slice(1) })
  }

  /** `\ No newline at end of file` follows the line that it is about. */
  endUnfinished(): void {
    const last = this.#lines.pop()
    if (last) this.#lines.push({ ...last, unfinished: true })
  }
}
