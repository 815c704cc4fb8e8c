import type { Case, CaseId } from '../cases/case.ts'
import { anchorsOf } from './anchors-of.ts'
import { annotationsOf, type Canvas, paintCanvas, type SpecAnnotation } from './canvas.ts'
import { followEdits } from './follow-edits.ts'

/** The entry of one document in `specs/progress.json` and in `axiom spec --json`. */
export interface SpecProgress {
  readonly specFile: string
  /** Whether its text differs from the planned one. */
  readonly edited: boolean
  readonly satisfied: boolean
  /** Percent of the words in each state. */
  readonly coverage: Readonly<Record<string, number>>
  readonly regions: readonly (SpecAnnotation & { readonly cases: readonly CaseId[] })[]
  readonly gaps: Canvas['gaps']
  readonly orphanCases: readonly CaseId[]
  readonly orphanRegions: readonly {
    readonly specFile: string
    readonly start: number
    readonly end: number
  }[]
  /** Cases none of whose words are left in the document. */
  readonly dropped: readonly CaseId[]
}

/** A document as it is now, and as it was when the regions of its cases were measured. */
interface Spec {
  readonly specFile: string
  readonly text: string
  readonly anchored: string
}

const PERCENT_DIGITS = 1

/** The progress of a document, from all cases under its directive. */
export function tellProgress(
  { specFile, text, anchored }: Spec,
  cases: readonly Case[],
): { readonly canvas: Canvas; readonly progress: SpecProgress } {
  const { anchors, orphaned } = followEdits(anchored, text, anchorsOf(cases, specFile))
  const canvas = paintCanvas(text, cases, anchors)
  const progress: SpecProgress = {
    specFile,
    edited: anchored !== text,
    satisfied: canvas.satisfied,
    coverage: rounded(canvas.coverage),
    regions: annotationsOf(canvas).map((region, at) => ({
      ...region,
      cases: canvas.regions[at]?.caseIds ?? [],
    })),
    gaps: canvas.gaps,
    orphanCases: canvas.orphanCases,
    orphanRegions: canvas.orphanRegions.map((stretch) => ({ specFile, ...stretch })),
    dropped: orphaned,
  }
  return { canvas, progress }
}

function rounded(coverage: Canvas['coverage']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(coverage).map(([state, percent]) => [state, Number(percent.toFixed(PERCENT_DIGITS))]),
  )
}
