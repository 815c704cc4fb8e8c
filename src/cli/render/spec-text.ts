import type { Canvas, Region } from '../../canvas/canvas.ts'
import type { RegionState } from '../../canvas/region-state.ts'
import type { Colors } from '../context.ts'
import { paintColour } from './paint.ts'
import { plain } from './plain-text.ts'

/** What each colour means, in words, because output may have no colours. */
const MEANINGS: Readonly<Record<RegionState, string>> = {
  black: 'untouched',
  gray: 'draft',
  orange: 'research',
  purple: 'pending',
  blue: 'under way',
  red: 'deferred',
  green: 'done',
}

/** Bounds the list: a need that is its own canvas has every case of its plan. */
const NAMED_MAX = 8

/** The document with its colours, each coloured region followed by its cases, and the figures below. */
export function specText(
  colors: Colors,
  canvas: Canvas,
  { directive, dropped }: { readonly directive: string; readonly dropped: readonly string[] },
): string {
  const document = canvas.regions
    .map((region) => regionText(colors, region))
    .join('')
    .trimEnd()
  const shares = Object.entries(canvas.coverage)
    .filter(([, percent]) => percent > 0)
    .map(([state, percent]) =>
      paintColour(colors, state, `${MEANINGS[state as RegionState]} ${percent.toFixed(1)} %`),
    )
  const verdict = canvas.satisfied ? 'satisfied' : 'not satisfied'
  return [
    document,
    '',
    `${directive}  ${[...shares, verdict].join(' · ')}`,
    ...listed('without a region', canvas.orphanCases),
    ...listed('their words are gone', dropped),
  ].join('\n')
}

function regionText(colors: Colors, { state, caseIds, text }: Region): string {
  if (state === 'black') return plain(text)
  const words = text.trimEnd()
  const space = text.slice(words.length)
  const note = colors.dim(` [${MEANINGS[state]}: ${named(caseIds)}]`)
  return `${paintColour(colors, state, plain(words))}${note}${space}`
}

function listed(what: string, ids: readonly string[]): string[] {
  return ids.length > 0 ? [`  ${what}: ${ids.join(', ')}`] : []
}

function named(ids: readonly string[]): string {
  const rest = ids.length - NAMED_MAX
  return rest > 0 ? `${ids.slice(0, NAMED_MAX).join(', ')} and ${rest} more` : ids.join(', ')
}
