import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeBranch, safeName } from './names.ts'

const refuses = (check: (name: string) => string, name: string): boolean => {
  try {
    check(name)
    return false
  } catch {
    return true
  }
}

describe('names', () => {
  it.each(['echo-001', 'task-042', 'a', '0'])('allow %s', (name) => {
    expect(safeName(name)).toBe(name)
  })

  it.each([
    '',
    '-rf',
    '../x',
    'a/b',
    'a;b',
    '@{-1}',
    'A',
    'a\n',
    'refs/heads/x',
    '\u202Eabc',
    'x'.repeat(65),
  ])('refuse %j', (name) => {
    expect(() => safeName(name)).toThrow(expect.objectContaining({ code: 'GIT_UNSAFE_NAME' }))
  })

  it('hold nothing but letters, digits and hyphens, whatever is tried', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (name) => {
        expect(refuses(safeName, name) || /^[a-z0-9-]+$/.test(name)).toBe(true)
      }),
    )
  })
})

describe('branches', () => {
  it.each(['main', 'release/1.2', 'feature/a_b+c'])('allow %s', (name) => {
    expect(safeBranch(name)).toBe(name)
  })

  it.each([
    '',
    '-main',
    'a..b',
    'a//b',
    '/a',
    'a/',
    'a.lock',
    'a.lock/b',
    '@{-1}',
    'a b',
    'a\0',
    'HEAD',
    'a'.repeat(40),
  ])('refuse %j', (name) => {
    expect(() => safeBranch(name)).toThrow(expect.objectContaining({ code: 'GIT_UNSAFE_NAME' }))
  })
})
