import type { Case } from '../cases/case.ts'
import type { Anchor } from './canvas.ts'

/** The regions of the cases in this document, as recorded when they were planned. */
export function anchorsOf(cases: readonly Case[], specFile: string): Anchor[] {
  return cases.flatMap(({ id: caseId, specRef, metadata }) => {
    if (specRef?.specFile !== specFile) return []
    const { start, end } = specRef
    return [
      { caseId, start, end },
      ...moreRegions(metadata.moreRegions).map((range) => ({ caseId, ...range })),
    ]
  })
}

function moreRegions(value: unknown): { start: number; end: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((range: { start?: unknown; end?: unknown } | null) =>
    typeof range?.start === 'number' && typeof range.end === 'number'
      ? [{ start: range.start, end: range.end }]
      : [],
  )
}
