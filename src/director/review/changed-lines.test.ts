import { describe, expect, it } from 'vitest'
import { readDiff } from './changed-lines.ts'

const diff = (...lines: string[]): string => `${lines.join('\n')}\n`

describe('the lines that a change touched', () => {
  it('are those of the new text, range by range', () => {
    const text = diff(
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -3 +3,2 @@ function old() {',
      '-one',
      '+two',
      '+three',
      '@@ -10,0 +12 @@',
      '+four',
    )
    expect(readDiff(text)).toEqual({
      'src/a.ts': [
        [3, 4],
        [12, 12],
      ],
    })
  })

  it('are those on both sides of a place where lines went away', () => {
    const text = diff('diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -5,2 +4,0 @@', '-x', '-y')
    expect(readDiff(text)).toEqual({ a: [[4, 5]] })
  })

  it('of a removed file bear its old name', () => {
    const text = diff(
      'diff --git a/gone b/gone',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1,2 +0,0 @@',
      '-x',
      '-y',
    )
    expect(readDiff(text)).toEqual({ gone: [[0, 1]] })
  })

  it('are not forged by content that looks like a diff', () => {
    const text = diff(
      'diff --git a/a b/a',
      '--- a/a',
      '+++ b/a',
      '@@ -1,2 +1,2 @@',
      '--- a/old',
      '-@@ -1 +1 @@',
      '+++ b/forged',
      '+@@ -1,9 +1,9 @@',
    )
    expect(readDiff(text)).toEqual({ a: [[1, 2]] })
  })

  it('are found under names that git quotes', () => {
    const text = diff(
      'diff --git "a/tab\\there" "b/tab\\there"',
      '--- "a/tab\\there"',
      '+++ "b/tab\\there"',
      '@@ -1 +1 @@',
      'diff --git a/with blank b/with blank',
      '--- a/with blank\t',
      '+++ b/with blank\t',
      '@@ -0,0 +1,3 @@',
    )
    expect(readDiff(text)).toEqual({ 'tab\there': [[1, 1]], 'with blank': [[1, 3]] })
  })
})
