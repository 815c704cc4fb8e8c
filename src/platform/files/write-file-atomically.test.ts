import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readText } from './read-text.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'axiom-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('writeFileAtomically', () => {
  it('creates and replaces, and leaves nothing else in the folder', async () => {
    const path = join(folder, 'a.json')
    await writeFileAtomically(path, 'one')
    await writeFileAtomically(path, 'two')
    expect(await readText(path)).toBe('two')
    expect(await readdir(folder)).toEqual(['a.json'])
  })

  it('replaces a symbolic link and leaves alone what it names', async () => {
    await writeFile(join(folder, 'elsewhere'), 'not ours')
    await symlink('elsewhere', join(folder, 'link'))
    await writeFileAtomically(join(folder, 'link'), 'new')
    expect((await lstat(join(folder, 'link'))).isFile()).toBe(true)
    expect(await readFile(join(folder, 'link'), 'utf8')).toBe('new')
    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('not ours')
  })

  it('leaves the old file and no remains when the target cannot be replaced', async () => {
    await expect(writeFileAtomically(folder, 'text')).rejects.toThrow()
    await writeFile(join(folder, 'file'), 'kept')
    await expect(writeFileAtomically(join(folder, 'file', 'below'), 'text')).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['file'])
    expect(await readText(join(folder, 'file', 'below'))).toBeUndefined()
  })
})
