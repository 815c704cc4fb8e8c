import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LAYERS } from './layers.ts'

const src = resolve(import.meta.dirname, '../src')
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) =>
    relative(src, resolve(dirname(join(src, path)), match[1] ?? '')),
  )
}

function forbidden(path: string, text: string): string[] {
  const from = path.split(sep)[0]
  const layer = LAYERS.find(({ folder }) => folder === from)
  if (!layer) return [`${path}: no layer is named ${from}`]
  return importsOf(path, text)
    .map((target) => target.split(sep)[0] ?? '')
    .filter((folder) => folder !== from && !layer.mayImport.includes(folder))
    .map((folder) => `${path}: ${from} may not import ${folder}`)
}

/** Folders whose code may be imported by a program without Node or may be replayed: no world in them. */
const PURE = ['cases', 'canvas', 'signals', 'vocabulary', 'events']

describe('the layers', () => {
  it('allow each import that the source has', () => {
    expect(sourceFiles().flatMap((path) => forbidden(path, readFileSync(join(src, path), 'utf8')))).toEqual(
      [],
    )
  })

  it('refuse a planted import', () => {
    expect(forbidden(join('cases', 'x.ts'), `import { y } from '../store/y.ts'`)).toHaveLength(1)
    expect(forbidden(join('cases', 'x.ts'), `await import('../cli/y.ts')`)).toHaveLength(1)
    expect(forbidden(join('cli', 'x.ts'), `import { y } from '../store/y.ts'`)).toEqual([])
  })

  it('keep the world out of the pure folders', () => {
    const worldly =
      /from 'node:(?!assert|module)|\bprocess\.|\bDate\.now\(|new Date\(\)|Math\.random\(|randomUUID/
    const guilty = sourceFiles()
      .filter((path) => PURE.includes(path.split(sep)[0] ?? '') && !path.endsWith('.test.ts'))
      .filter((path) => worldly.test(readFileSync(join(src, path), 'utf8')))
    expect(guilty).toEqual([])
  })

  it('leave arguments, environment and printing to the command line', () => {
    const reserved = /\bprocess\.(argv|env|exit\b|exitCode|stdout|stderr)|\bconsole\./
    const guilty = sourceFiles()
      .filter((path) => !/^(cli|sim)\b/.test(path) && !path.endsWith('.test.ts'))
      .filter((path) => reserved.test(readFileSync(join(src, path), 'utf8')))
    expect(guilty).toEqual([])
  })

  it('are drawn in ARCHITECTURE.md as they are', () => {
    const built = LAYERS.filter(({ folder }) => existsSync(join(src, folder)))
    const width = Math.max(...built.map(({ folder }) => folder.length))
    const diagram = built
      .map(({ folder, duty, mayImport }) => {
        const below = mayImport.filter((name) => built.some((layer) => layer.folder === name))
        return `${folder.padEnd(width)}  ${duty}\n${''.padEnd(width)}  └ imports ${below.join(', ') || 'nothing'}`
      })
      .join('\n')
    const path = resolve(src, '../ARCHITECTURE.md')
    const page = readFileSync(path, 'utf8')
    const drawn = page.replace(/(<!-- layers -->\n```text\n)[^`]*(```)/, `$1${diagram}\n$2`)
    if (process.env.UPDATE_GOLDEN) writeFileSync(path, drawn)
    else expect(page, 'UPDATE_GOLDEN=1 redraws it').toBe(drawn)
    expect(drawn).toContain(diagram)
  })
})
