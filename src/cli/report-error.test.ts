import { expect, it } from 'vitest'
import { EXIT } from './exit-code.ts'
import { reportError } from './report-error.ts'

it.each([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['EROFS', 'mounted read-only'],
  ['EACCES', 'permissions of that path'],
])('says what to do about %s', (code, words) => {
  const written: string[] = []
  const stderr = { write: (chunk: string) => written.push(chunk) > 0 }
  const error = Object.assign(new Error(`${code}: write`), { code })
  expect(reportError(error, false, stderr)).toBe(EXIT.environment)
  expect(written.join('')).toMatch(new RegExp(`^DISK_${code}: .*\\n  .*${words}`))
})
