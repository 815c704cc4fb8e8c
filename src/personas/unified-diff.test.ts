import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`).join('\n')

describe('a unified diff', () => {
  it('is empty for equal texts', () => {
    expect(unifiedDiff('a.md', 'x\n', 'x\n')).toBe('')
  })

  it('shows three lines around a change and counts lines as diff does', () => {
    const before = `${numbered(1, 20)}\n`
    expect(unifiedDiff('a.md', before, before.replace('line 10', 'line ten'))).toBe(
      [
        '--- a.md',
        '+++ a.md',
        '@@ -7,7 +7,7 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+line ten',
        ' line 11',
        ' line 12',
        ' line 13',
      ].join('\n'),
    )
  })

  it('says so when only the last line break differs', () => {
    expect(unifiedDiff('a.md', 'x', 'x\n')).toBe(
      '--- a.md\n+++ a.md\n\\ only the line break at the end differs',
    )
  })

  it('puts far changes into hunks of their own', () => {
    const before = `${numbered(1, 30)}\n`
    const after = before.replace('line 2\n', '').replace('line 29\n', 'line 29\nnew\n')
    const heads = unifiedDiff('a.md', before, after).match(/^@@.*@@$/gm)
    expect(heads).toEqual(['@@ -1,5 +1,4 @@', '@@ -27,4 +26,5 @@'])
  })

  it('carries both texts whole: without + lines it is the old, without - lines the new', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const body = unifiedDiff('x', before, after)
          .split('\n')
          .slice(2)
          .filter((line) => !line.startsWith('@@'))
        if (before === after) return
        const side = (mark: string) =>
          body.filter((line) => line.startsWith(' ') || line.startsWith(mark)).map((line) => line.slice(1))
        for (const [mark, whole] of [
          ['-', before],
          ['+', after],
        ] as const) {
          const kept = side(mark)
          const missing = whole.split('\n').slice(0, -1)
          expect(isSubsequence(kept, missing)).toBe(true)
        }
      }),
    )
  })
})

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const line of whole) if (line === part[at]) at += 1
  return at === part.length
}
