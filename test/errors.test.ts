import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Codes that the specification of AXIOM names, whether or not a part of it uses them yet. */
const SPECIFIED = `PREREQ_NO_GIT PREREQ_DIRTY_WORKDIR PREREQ_NO_AGENT PREREQ_DISK_LOW PREREQ_NO_WRITE
  CONFIG_INVALID_JSON CONFIG_SCHEMA_ERROR CONFIG_NOT_FOUND CONFIG_BACKUP_RESTORED
  SIGNAL_MALFORMED SIGNAL_UNKNOWN_TYPE SIGNAL_MISSING_PAYLOAD SIGNAL_INVALID_PAYLOAD
  VERIFICATION_FAILED VERIFICATION_TIMEOUT VERIFICATION_SKIPPED VERIFICATION_EMPTY
  DISK_WARNING DISK_CRITICAL DISK_EMERGENCY REMOTE_FORCE_PUSH REMOTE_FETCH_FAILED
  CHECKPOINT_NOT_FOUND CHECKPOINT_CORRUPTED
  InvalidTransition InvalidStatus MissingRequired NotFound AlreadyClaimed NotClaimed StaleClaim
  SELF_DEPENDENCY CIRCULAR_DEPENDENCY CIRCULAR_DEPENDENCY_EXISTING`.split(/\s+/)

const USES: readonly RegExp[] = [
  /Failure\(\s*(?:\w+ \? )?'(\w+)'/g,
  /\bcode: '(\w+)'/g,
  /['`]((?:PREREQ|CONFIG|SIGNAL|VERIFICATION|DISK|REMOTE|CHECKPOINT|STORE|COUNTERS)_[A-Z_]+): /g,
]
const UNION = /type \w*Code =\s*((?:\s*\|?\s*'\w+')+)/g

function codesIn(text: string): string[] {
  const unions = [...text.matchAll(UNION)].flatMap((match) => [...(match[1] ?? '').matchAll(/'(\w+)'/g)])
  return [...USES.flatMap((pattern) => [...text.matchAll(pattern)]), ...unions].map((match) => match[1] ?? '')
}

function codesOfSource(): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => codesIn(readFileSync(join(root, 'src', path), 'utf8')))
}

function documented(): Map<string, string[]> {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| +`(\w+)` +\| (.*) \|$/gm)]
  return new Map(
    rows.map((match) => [match[1] ?? '', (match[2] ?? '').split('|').map((cell) => cell.trim())]),
  )
}

describe('docs/errors.md', () => {
  it('explains every code that the source uses and the specification names', () => {
    const known = documented()
    const missing = [...new Set([...codesOfSource(), ...SPECIFIED])].filter((code) => !known.has(code))
    expect(missing).toEqual([])
  })

  it('gives each code a severity, a meaning and something to do', () => {
    for (const [code, [severity, meaning, remedy]] of documented()) {
      expect(['low', 'medium', 'high', 'critical'], code).toContain(severity)
      expect(meaning?.length, code).toBeGreaterThan(10)
      expect(remedy?.length, code).toBeGreaterThan(3)
    }
  })

  it('would notice a code that is new', () => {
    expect(codesIn(`throw new Failure('NEW_CODE', 'x')`)).toEqual(['NEW_CODE'])
    expect(codesIn(`type XCode = | 'ONE_CODE' | 'OtherCode'`)).toEqual(['ONE_CODE', 'OtherCode'])
    expect(codesIn(`say('STORE_CODE: it')`)).toEqual(['STORE_CODE'])
    expect(codesOfSource().length).toBeGreaterThan(40)
  })
})
