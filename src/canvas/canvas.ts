import type { Case, CaseId } from '../cases/case.ts'
import { countedUnits, countIn } from './count-words.ts'
import { decidingCase, REGION_STATES, type RegionState, stateOfCase } from './region-state.ts'

/** Words of a document that a case covers, in UTF-16 offsets. */
export interface Anchor {
  readonly caseId: CaseId
  readonly start: number
  readonly end: number
}

/** A part of the document with one colour. The regions of a canvas have no gaps and no overlaps. */
export interface Region {
  readonly start: number
  readonly end: number
  readonly state: RegionState
  /** The case that decides the colour; null where the text is untouched. */
  readonly caseId: CaseId | null
  /** All cases on it. */
  readonly caseIds: readonly CaseId[]
  readonly text: string
}

interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Canvas {
  readonly regions: readonly Region[]
  /** Percent of the words in each state. */
  readonly coverage: Readonly<Record<RegionState, number>>
  /** Every word is done or deferred. */
  readonly satisfied: boolean
  /** Untouched words between coloured ones. */
  readonly gaps: readonly Stretch[]
  /** Cases without a region. */
  readonly orphanCases: readonly CaseId[]
  /** Words without a case: the gaps, and the text before and after all regions. */
  readonly orphanRegions: readonly Stretch[]
}

/** Colours a document by its cases: `cases` are those of its directive, `anchors` are their regions in it. */
export function paintCanvas(text: string, all: readonly Case[], anchors: readonly Anchor[]): Canvas {
  const cases = putOff(all)
  const regions = regionsOf(text, cases, anchors)
  const counted = countedUnits(text)
  const words = Object.fromEntries(REGION_STATES.map((state) => [state, 0])) as Record<RegionState, number>
  for (const { state, start, end } of regions) words[state] += countIn(counted, start, end)
  const total = Object.values(words).reduce((sum, count) => sum + count, 0)
  const coverage = Object.fromEntries(
    REGION_STATES.map((state) => [state, total === 0 ? 0 : (words[state] * 100) / total]),
  ) as Record<RegionState, number>
  const coloured = regions.filter(({ state }) => state !== 'black')
  const orphanRegions = regions.flatMap((region) =>
    region.state === 'black' ? wordsOf(region, counted) : [],
  )
  const placed = new Set(anchors.map(({ caseId }) => caseId))
  return {
    regions,
    coverage,
    satisfied: total > 0 && words.green + words.red === total,
    gaps: orphanRegions.filter(
      ({ start }) =>
        coloured.some((region) => region.end <= start) && coloured.some((region) => region.start > start),
    ),
    orphanCases: cases
      .filter((subject) => !placed.has(subject.id) && stateOfCase(subject) !== undefined)
      .map(({ id }) => id),
    orphanRegions,
  }
}

/** A case under a deferred one is deferred with it, unless it was done before. */
function putOff(cases: readonly Case[]): Case[] {
  const byId = new Map(cases.map((subject) => [subject.id, subject]))
  const isUnderDeferred = ({ parentId }: Case) => {
    const seen = new Set<CaseId>()
    for (let id = parentId; id !== null && !seen.has(id); id = byId.get(id)?.parentId ?? null) {
      if (byId.get(id)?.type === 'deferred') return true
      seen.add(id)
    }
    return false
  }
  return cases.map((subject) =>
    subject.status !== 'done' && stateOfCase(subject) !== undefined && isUnderDeferred(subject)
      ? { ...subject, type: 'deferred' }
      : subject,
  )
}

function regionsOf(text: string, cases: readonly Case[], anchors: readonly Anchor[]): Region[] {
  const byId = new Map(cases.map((subject) => [subject.id, subject]))
  const colouring = anchors.filter(({ caseId, start, end }) => {
    const subject = byId.get(caseId)
    return (
      subject !== undefined &&
      stateOfCase(subject) !== undefined &&
      start >= 0 &&
      start < end &&
      end <= text.length
    )
  })
  const edges = [...new Set([0, text.length, ...colouring.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  )
  const order = new Map(colouring.map((anchor, at) => [anchor, at]))
  const rank = (anchor: Anchor): number => order.get(anchor) ?? 0
  const waiting = colouring.toSorted((a, b) => b.start - a.start)
  let here: Anchor[] = []
  const regions: Region[] = []
  for (const [at, end] of edges.slice(1).entries()) {
    const start = edges[at] ?? 0
    here = here.filter((anchor) => anchor.end > start)
    for (let next = waiting.at(-1); next && next.start <= start; next = waiting.at(-1)) {
      here.push(next)
      waiting.pop()
    }
    here.sort((a, b) => rank(a) - rank(b))
    const caseIds = [...new Set(here.map(({ caseId }) => caseId))]
    const deciding = decidingCase(caseIds.flatMap((id) => byId.get(id) ?? []))
    const state = deciding ? (stateOfCase(deciding) ?? 'black') : 'black'
    const region = { start, end, state, caseId: deciding?.id ?? null, caseIds, text: text.slice(start, end) }
    regions.push(region)
  }
  return regions
}

/** The stretch from the first to the last word of a region; nothing when it has none. */
function wordsOf({ start, end }: Stretch, counted: Uint8Array): Stretch[] {
  const first = counted.indexOf(1, start)
  if (first < 0 || first >= end) return []
  return [{ start: first, end: counted.lastIndexOf(1, end - 1) + 1 }]
}

/** A region in its stored form. */
export interface SpecAnnotation {
  readonly start: number
  readonly end: number
  readonly state: RegionState
  readonly caseId: CaseId | null
  readonly text: string
}

export function annotationsOf({ regions }: Canvas): SpecAnnotation[] {
  return regions.map(({ start, end, state, caseId, text }) => ({ start, end, state, caseId, text }))
}
