import type { CaseId } from '../cases/case.ts'
import type { Anchor } from './canvas.ts'
import { wordsPattern } from './words-pattern.ts'

interface Place {
  readonly start: number
  readonly end: number
}

interface Sentence {
  readonly start: number
  readonly text: string
}

export interface Followed {
  readonly anchors: readonly Anchor[]
  /** Cases none of whose words are left. */
  readonly orphaned: readonly CaseId[]
}

/**
 * Beyond this many pairs of changed sentences only the equal start and end, and unique places, are matched.
 */
const PAIRS_MAX = 4_000_000
const SENTENCE = /[^\n]*?(?:[.!?]+(?=\s)|(?=\n)|$)\s*/g
/** Replaces text that is not compared; no document contains it. */
const FILLER = '\0'

/**
 * Carries anchors from a document to an edited version. An unchanged sentence keeps its colours; words of a
 * changed or moved one are found again where exactly the same words occur in exactly one new place.
 * Everything else is dropped: a colour is never put on words that it was not given to.
 */
export function followEdits(before: string, after: string, anchors: readonly Anchor[]): Followed {
  if (before === after) return { anchors, orphaned: [] }
  const old = sentencesOf(before)
  const edited = sentencesOf(after)
  const pairs = align(old, edited)
  const kept = new Set(pairs.values())
  const freshOld = blankOut(
    before,
    old.filter((_, at) => pairs.has(at)),
  )
  const fresh = blankOut(
    after,
    edited.filter((_, at) => kept.has(at)),
  )
  const followed = anchors.flatMap((anchor) =>
    followOne(anchor, { before, after, old, edited, pairs, freshOld, fresh }),
  )
  const standing = new Set(followed.map(({ caseId }) => caseId))
  const orphaned = [...new Set(anchors.map(({ caseId }) => caseId))].filter((id) => !standing.has(id))
  return { anchors: followed, orphaned }
}

interface Edit {
  readonly before: string
  readonly after: string
  readonly old: readonly Sentence[]
  readonly edited: readonly Sentence[]
  readonly pairs: ReadonlyMap<number, number>
  /** Both documents with the unchanged sentences blanked out, so that offsets stay. */
  readonly freshOld: string
  readonly fresh: string
}

function followOne(anchor: Anchor, edit: Edit): Anchor[] {
  const { before, after, old, edited, pairs } = edit
  const { caseId } = anchor
  const whole = onlyPlace(edit, before.slice(anchor.start, anchor.end))
  if (whole) return [{ caseId, ...whole }]
  const pieces = old.flatMap((sentence, at) => {
    const start = Math.max(anchor.start, sentence.start)
    const words = before.slice(start, Math.min(anchor.end, sentence.start + sentence.text.length)).trimEnd()
    if (words === '') return []
    const partner = edited[pairs.get(at) ?? -1]
    if (!partner) return onlyPlace(edit, words) ?? []
    const moved = partner.start + start - sentence.start
    return { start: moved, end: moved + words.length }
  })
  return joined(
    pieces.map((piece) => ({ caseId, ...piece })),
    after,
  )
}

/** The place of these words in changed text, if they occur exactly once now and did before. */
function onlyPlace({ freshOld, fresh }: Edit, words: string): Place | undefined {
  const pattern = /[\p{L}\p{N}]/u.test(words) ? wordsPattern(words) : undefined
  if (pattern === undefined || [...freshOld.matchAll(pattern)].length !== 1) return undefined
  const [place, ...others] = [...fresh.matchAll(pattern)]
  if (place === undefined || others.length > 0) return undefined
  return { start: place.index, end: place.index + place[0].length }
}

function joined(pieces: readonly Anchor[], text: string): Anchor[] {
  const result: Anchor[] = []
  for (const piece of [...pieces].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && text.slice(last.end, piece.start).trim() === '')
      result[result.length - 1] = { ...last, end: Math.max(last.end, piece.end) }
    else result.push(piece)
  }
  return result
}

function sentencesOf(text: string): Sentence[] {
  return [...text.matchAll(SENTENCE)].flatMap(({ index, 0: sentence }) =>
    sentence === '' ? [] : [{ start: index, text: sentence }],
  )
}

function blankOut(text: string, sentences: readonly Sentence[]): string {
  let at = 0
  let result = ''
  for (const { start, text: sentence } of sentences) {
    result += text.slice(at, start) + FILLER.repeat(sentence.length)
    at = start + sentence.length
  }
  return result + text.slice(at)
}

/** Pairs of equal sentences in equal order, as many as there can be. */
function align(old: readonly Sentence[], edited: readonly Sentence[]): Map<number, number> {
  const same = (a: number, b: number) => old[a]?.text.trimEnd() === edited[b]?.text.trimEnd()
  const pairs = new Map<number, number>()
  let from = 0
  while (from < old.length && from < edited.length && same(from, from)) pairs.set(from, from++)
  let oldEnd = old.length
  let newEnd = edited.length
  while (oldEnd > from && newEnd > from && same(oldEnd - 1, newEnd - 1)) pairs.set(--oldEnd, --newEnd)
  if ((oldEnd - from) * (newEnd - from) > PAIRS_MAX) return pairs
  for (const [a, b] of longestCommon(oldEnd - from, newEnd - from, (a, b) => same(from + a, from + b)))
    pairs.set(from + a, from + b)
  return pairs
}

function longestCommon(
  rows: number,
  columns: number,
  same: (a: number, b: number) => boolean,
): [number, number][] {
  const width = columns + 1
  const best = new Uint32Array((rows + 1) * width)
  const at = (a: number, b: number) => best[a * width + b] ?? 0
  for (let a = rows - 1; a >= 0; a -= 1)
    for (let b = columns - 1; b >= 0; b -= 1)
      best[a * width + b] = same(a, b) ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
  const pairs: [number, number][] = []
  for (let a = 0, b = 0; a < rows && b < columns; ) {
    if (same(a, b)) pairs.push([a++, b++])
    else if (at(a + 1, b) >= at(a, b + 1)) a += 1
    else b += 1
  }
  return pairs
}
