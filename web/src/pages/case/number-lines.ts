import type { DiffHunk, DiffLine } from '../../../../src/server/contract.ts'

export interface NumberedLine {
  readonly line: DiffLine
  readonly old: number | undefined
  readonly now: number | undefined
}

/** Each line of a hunk with its number before and after the change. */
export function numberLines({ oldStart, newStart, lines }: DiffHunk): readonly NumberedLine[] {
  let old = oldStart
  let now = newStart
  return lines.map((line) => {
    const numbered = {
      line,
      old: line.side === 'new' ? undefined : old,
      now: line.side === 'old' ? undefined : now,
    }
    if (line.side !== 'new') old += 1
    if (line.side !== 'old') now += 1
    return numbered
  })
}
