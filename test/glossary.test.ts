import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const SECTION = '## Names in the code'
const NOUN = /^export (?:declare )?(?:abstract )?(?:class|interface|type) (\w+)/gm
const IMPORT = /\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/g
/** A line of the section: the name, and the folders that declare it. */
const ENTRY = /^\*\*(\w+)\*\* \(((?:`\w+`(?:, )?)+)\): /gm

/** The sources by path, without what only tests import. */
type Sources = ReadonlyMap<string, string>

function readSources(): Sources {
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|contract)\.ts$/.test(path))
    .toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(src, path), 'utf8')]))
}

function folderOf(path: string): string {
  return path.split(sep)[0] ?? ''
}

/** Every exported class, interface and type, as `folder Name`. */
function exportedNouns(sources: Sources): Set<string> {
  return new Set(
    [...sources].flatMap(([path, text]) =>
      [...text.matchAll(NOUN)].map(([, name]) => `${folderOf(path)} ${name}`),
    ),
  )
}

function importedNames(list: string): string[] {
  return list.split(',').map((part) => /^\s*(?:type\s+)?(\w+)/.exec(part)?.[1] ?? '')
}

/** The exported nouns that another folder imports. */
function sharedNouns(sources: Sources): string[] {
  const exported = exportedNouns(sources)
  const imported = [...sources].flatMap(([path, text]) =>
    [...text.matchAll(IMPORT)].flatMap(([, list = '', target = '']) => {
      const folder = folderOf(relative(src, resolve(dirname(join(src, path)), target)))
      return folder === folderOf(path) ? [] : importedNames(list).map((name) => `${folder} ${name}`)
    }),
  )
  return [...new Set(imported)].filter((noun) => exported.has(noun)).toSorted()
}

/** What the entries of the section name, as `folder Name`. */
function listedNouns(glossary: string): string[] {
  const section = glossary.slice(glossary.indexOf(`\n${SECTION}\n`))
  return [...section.matchAll(ENTRY)].flatMap(([, name, folders = '']) =>
    [...folders.matchAll(/\w+/g)].map(([folder]) => `${folder} ${name}`),
  )
}

/** A concept has its code name beside it, without a folder; an entry of the section counts for its folders only. */
function missingNouns(glossary: string, nouns: readonly string[]): string[] {
  const listed = new Set(listedNouns(glossary))
  const concepts = glossary.split(`\n${SECTION}\n`)[0] ?? ''
  return nouns.filter((noun) => {
    const name = noun.split(' ')[1]
    return !listed.has(noun) && !concepts.includes(`\`${name}\``) && !concepts.includes(`**${name}**`)
  })
}

/** Entries whose folder has no such noun, and code names in sentences that no folder has. */
function outdatedNouns(glossary: string, exported: ReadonlySet<string>): string[] {
  const names = new Set([...exported].map((noun) => noun.split(' ')[1]))
  const mentioned = [...glossary.matchAll(/`([A-Z]\w*[a-z]\w*)`/g)].map(([, name = '']) => name)
  return [
    ...listedNouns(glossary).filter((noun) => !exported.has(noun)),
    ...mentioned.filter((name) => !names.has(name)),
  ]
}

describe('the glossary', () => {
  const sources = readSources()
  const glossary = readFileSync(resolve(src, '../docs/glossary.md'), 'utf8')

  it('names each exported noun that another folder imports', () => {
    expect(missingNouns(glossary, sharedNouns(sources)), `add them to "${SECTION}"`).toEqual([])
  })

  it('names no noun that the code no longer has', () => {
    expect(outdatedNouns(glossary, exportedNouns(sources))).toEqual([])
  })

  it('has one entry for each name', () => {
    const section = glossary.slice(glossary.indexOf(`\n${SECTION}\n`))
    const names = [...section.matchAll(ENTRY)].map(([, name]) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('is found incomplete or outdated where it is', () => {
    const planted: Sources = new Map([
      [join('cases', 'x.ts'), 'export interface Known {}\nexport type Unknown = string\nexport class Own {}'],
      [join('store', 'y.ts'), `import { type Known, Unknown as U } from '../cases/x.ts'`],
      [join('cases', 'z.ts'), `import type { Own } from './x.ts'`],
    ])
    const page = `**word** (\`Gone\`): …\n\n${SECTION}\n\n**Known** (\`cases\`): …\n\n**Left** (\`store\`): …\n`
    expect(sharedNouns(planted)).toEqual(['cases Known', 'cases Unknown'])
    expect(missingNouns(page, sharedNouns(planted))).toEqual(['cases Unknown'])
    expect(outdatedNouns(page, exportedNouns(planted))).toEqual(['store Left', 'Gone'])
  })
})
