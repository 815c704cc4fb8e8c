import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const FENCED = /^```[\s\S]*?^```/gm
const QUOTED = /`([^`\n]+)`/g
const PATH = /^[\w.@<>-]+(\/[\w.@<>-]*)*$/
const FILE = /\.(ts|tsx|mjs|js|md|json)$/
const FUNCTION = /^(\w+)\(\)$/

const quotedIn = (line: string): string[] => [...line.matchAll(QUOTED)].map((match) => match[1] ?? '')

const isPath = (text: string): boolean => PATH.test(text) && (text.includes('/') || FILE.test(text))

/** Of `src/cli/commands/<name>.ts` the folder has to exist. */
const fixedPart = (path: string): string => path.replace(/[^/]*<.*$/, '')

interface Line {
  /** Places from the root of the repository. */
  readonly found: readonly string[]
  readonly missing: readonly string[]
}

/** A path starts at the root of the repository or in the folder of the path before it on the line. */
function readLine(line: string): Line {
  const found: string[] = []
  const missing: string[] = []
  let folder = ''
  for (const path of quotedIn(line).filter(isPath).map(fixedPart)) {
    const place = [path, join(folder, path)].find((one) => existsSync(join(root, one)))
    if (place === undefined) missing.push(path)
    else {
      found.push(place)
      folder = place.endsWith('/') ? place : dirname(place)
    }
  }
  return { found, missing }
}

function missingIn(page: string): string[] {
  return page
    .replace(FENCED, '')
    .split('\n')
    .flatMap((line) => readLine(line).missing)
}

/** The functions that none of the files on their line has. */
function unknownFunctionsIn(page: string): string[] {
  return page.split('\n').flatMap((line) => {
    const files = readLine(line).found.filter((path) => FILE.test(path))
    const code = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    return quotedIn(line).filter((text) => {
      const name = FUNCTION.exec(text)?.[1]
      return name !== undefined && !new RegExp(`\\b${name}\\b\\s*[(<]`).test(code)
    })
  })
}

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

  it('names files and folders that exist', () => {
    expect(missingIn(page)).toEqual([])
  })

  it('names functions that are in the file beside them', () => {
    expect(unknownFunctionsIn(page)).toEqual([])
  })

  it.each([
    ['`src/cases/no-such-file.ts`', ['src/cases/no-such-file.ts']],
    ['`no-such-file.md`', ['no-such-file.md']],
    ['`src/no-such-folder/`', ['src/no-such-folder/']],
    ['`src/no-such-folder/<name>.ts`', ['src/no-such-folder/']],
    ['`src/cases/case.ts`, then `decide/`, `execute.ts`, `journal.ts`', ['execute.ts', 'journal.ts']],
    ['`src/cases/case.ts` and `execute.ts`', []],
    ['`src/cli/commands/<name>/command.ts`, `npm run golden`, `/api/stream`, `decide`', []],
  ])('is held to %s', (line, missing) => {
    expect(missingIn(line)).toEqual(missing)
  })

  it('is held to the functions beside a file', () => {
    expect(unknownFunctionsIn('`src/cases/execute.ts`, `execute()`, `noSuchFunction()`')).toEqual([
      'noSuchFunction()',
    ])
  })
})
