import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Anchor } from './canvas.ts'
import { followEdits } from './follow-edits.ts'

const RUNS = 300

function anchor(text: string, caseId: string, words: string): Anchor {
  return { caseId, start: text.indexOf(words), end: text.indexOf(words) + words.length }
}

function follow(
  before: string,
  after: string,
  ...words: string[]
): { words: string[]; orphaned: readonly string[] } {
  const { anchors, orphaned } = followEdits(
    before,
    after,
    words.map((text) => anchor(before, text, text)),
  )
  return { words: anchors.map(({ start, end }) => after.slice(start, end)), orphaned }
}

describe('After an edit from outside', () => {
  const text = '# Blog\n\nReaders see posts. Writers write posts.\n\n- Comments are moderated.\n'
  it.each([
    ['text before it is added', `New words first.\n\n${text}`, ['Readers see posts.'], []],
    [
      'it moves',
      '- Comments are moderated.\n\n# Blog\n\nWriters write posts. Readers see posts.\n',
      ['Readers see posts.'],
      [],
    ],
    ['its lines are wrapped anew', text.replace('see posts', 'see\nposts'), ['Readers see\nposts.'], []],
    ['a neighbour in its sentence changes', text.replace('Blog', 'Log'), ['Readers see posts.'], []],
    ['it is removed', text.replace('Readers see posts. ', ''), [], ['Readers see posts.']],
    [
      'other words take its place',
      text.replace('Readers see posts', 'Readers see pictures'),
      [],
      ['Readers see posts.'],
    ],
    [
      'it is there twice now',
      `${text}Readers see posts. And: Readers see posts.\n`,
      ['Readers see posts.'],
      [],
    ],
    ['all is gone', '', [], ['Readers see posts.']],
  ])('%s', (_what, after, words, orphaned) => {
    expect(follow(text, after, 'Readers see posts.')).toEqual({ words, orphaned })
  })

  it('part of a sentence stays coloured while its words stand, and only as whole words', () => {
    expect(follow('A log is kept here.', 'A log is kept there.', 'log').words).toEqual(['log'])
    expect(follow('A log is kept here.', 'A catalog is kept.', 'log')).toEqual({
      words: [],
      orphaned: ['log'],
    })
  })

  it('words that could be in two places are in none', () => {
    const after = 'A log is a log here.'
    expect(follow('A log is kept here.', after, 'log')).toEqual({ words: [], orphaned: ['log'] })
    expect(follow('A log is a log.', 'One log was.', 'log')).toEqual({ words: [], orphaned: ['log'] })
  })

  it('a region of several sentences keeps those that are left', () => {
    const before = 'One is. Two is. Three is.'
    expect(follow(before, 'One is. New is. Three is.', before).words).toEqual(['One is.', 'Three is.'])
  })

  it('the same word elsewhere never takes the colour', () => {
    expect(follow('The login page is blue.', 'The export job is the best.', 'The login page').words).toEqual(
      [],
    )
  })
})

/** Sentences that all differ; a document is some of them in some order. */
const sentence = (number: number) => `Sentence ${'abcdefghijklmnopqrstuvwxyz'[number % 26]}${number} says so.`
const separators = fc.constantFrom(' ', '\n', '\n\n')

const edits = fc
  .record({
    count: fc.integer({ min: 1, max: 12 }),
    order: fc.array(fc.nat(17), { maxLength: 18 }),
    separators: fc.array(separators, { minLength: 40, maxLength: 40 }),
  })
  .map(({ count, order, separators: between }) => {
    const write = (numbers: readonly number[], from: number) =>
      numbers.map((number, at) => sentence(number) + (between[from + at] ?? ' ')).join('')
    const kept = [...new Set(order)]
    const before = Array.from({ length: count }, (_, number) => number)
    return { before: write(before, 0), after: write(kept, 20), old: before, kept }
  })

describe('Whatever is removed, added and moved', () => {
  it('a sentence that is left keeps its colour, one that is gone drops it, a new one stays black', () => {
    fc.assert(
      fc.property(edits, ({ before, after, old, kept }) => {
        const anchors = old.map((number) => anchor(before, String(number), sentence(number)))
        const followed = followEdits(before, after, anchors)
        const standing = old.filter((number) => kept.includes(number))
        expect(followed.orphaned).toEqual(old.filter((number) => !kept.includes(number)).map(String))
        expect(followed.anchors.map(({ caseId }) => caseId)).toEqual(standing.map(String))
        for (const { caseId, start, end } of followed.anchors)
          expect(after.slice(start, end)).toBe(sentence(Number(caseId)))
      }),
      { numRuns: RUNS },
    )
  })

  it('no colour lies on words that it was not given to, in texts full of repetition', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'a.', 'b.', '\n', '- a', '**b**'), {
      maxLength: 24,
    })
    fc.assert(
      fc.property(words, words, fc.nat(60), fc.nat(60), (old, edited, from, length) => {
        const before = old.join(' ')
        const after = edited.join(' ')
        const start = Math.min(from, before.length)
        const end = Math.min(start + length, before.length)
        const { anchors } = followEdits(before, after, [{ caseId: 'x', start, end }])
        const given = before.slice(start, end).match(/[ab]+/g) ?? []
        for (const piece of anchors) {
          expect(piece.end).toBeLessThanOrEqual(after.length)
          for (const word of after.slice(piece.start, piece.end).match(/[ab]+/g) ?? [])
            expect(given).toContain(word)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
