import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/command-table.ts'

const root = resolve(import.meta.dirname, '..')
/** A command line as it is shown to people: `axiom word`, in quotes, code or at the beginning of a line. */
const ADVERTISED = /(?:^|[\s`"'(:])axiom ([a-z]+)(?![\w|])/gm

function textsOf(folder: string): [string, string][] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|md)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => [`${folder}/${path}`, readFileSync(join(root, folder, path), 'utf8')])
}

it('No message and no page names a command that does not run', () => {
  const known = new Set(['help', ...COMMANDS.map(({ name }) => name)])
  const pages = ['README.md', 'CONTRIBUTING.md'].map((path): [string, string] => [
    path,
    readFileSync(join(root, path), 'utf8'),
  ])
  const texts = [...textsOf('src'), ...textsOf('docs'), ...pages]
  const unknown = texts.flatMap(([path, text]) =>
    [...text.matchAll(ADVERTISED)]
      .filter(([, word = '']) => !known.has(word))
      .map(([, word]) => `${path}: axiom ${word}`),
  )
  expect(unknown).toEqual([])
})
