import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG_FILES } from './long-files.ts'

const root = resolve(import.meta.dirname, '..')
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g
const LINES_MAX = 400
const MEDIAN_LINES_MAX = 80
/** A folder that one can take in at a glance. */
const DIRECTOR_FILES_MAX = 12

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path))
}

const sources = ['src', 'web/src'].flatMap(filesIn).filter((path) => !/\.(test|contract)\.tsx?$/.test(path))

function importsOf(path: string, known: ReadonlySet<string>): string[] {
  const folder = dirname(join(root, path))
  return [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)]
    .map((match) => relative(root, resolve(folder, match[1] ?? '')))
    .filter((target) => known.has(target))
}

/** The first circle of imports as the files on it, the first one again at the end; none when there is no circle. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const closed = new Set<string>()
  const visit = (path: string, above: readonly string[]): string[] | undefined => {
    const at = above.indexOf(path)
    if (at >= 0) return [...above.slice(at), path]
    if (closed.has(path)) return undefined
    for (const next of graph.get(path) ?? []) {
      const circle = visit(next, [...above, path])
      if (circle) return circle
    }
    closed.add(path)
    return undefined
  }
  for (const path of graph.keys()) {
    const circle = visit(path, [])
    if (circle) return circle
  }
  return undefined
}

const linesOf = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1

describe('the house', () => {
  it('has no circle of imports', () => {
    const known = new Set(sources)
    const circle = findCircle(new Map(sources.map((path) => [path, importsOf(path, known)])))
    expect(circle?.join(' → ')).toBeUndefined()
  })

  it('finds a circle that is there', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ])
    expect(findCircle(graph)).toEqual(['b', 'd', 'b'])
  })

  it(`has at most ${DIRECTOR_FILES_MAX} files at the top of the director`, () => {
    const flat = readdirSync(join(root, 'src/director')).filter((name) => name.endsWith('.ts'))
    expect(flat.filter((name) => !name.endsWith('.test.ts')).length).toBeLessThanOrEqual(DIRECTOR_FILES_MAX)
  })

  it(`gives a reason for each file of more than ${LINES_MAX} lines, and for no other`, () => {
    const all = [...sources, ...['test', 'bench'].flatMap(filesIn)]
    const long = all.filter((path) => linesOf(path) > LINES_MAX)
    expect(long.toSorted()).toEqual(Object.keys(LONG_FILES).toSorted())
  })

  it('has small files, half of them below eighty lines', () => {
    const lines = sources.map(linesOf).toSorted((a, b) => a - b)
    expect(lines[lines.length >> 1]).toBeLessThan(MEDIAN_LINES_MAX)
  })
})
