import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readInside } from './read-inside.ts'

let top: string
let folder: string
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'axiom-inside-'))
  folder = join(top, 'project')
  await mkdir(join(folder, 'rules'), { recursive: true })
  await writeFile(join(top, 'secret.md'), 'secret')
  await writeFile(join(folder, 'rules', 'own.md'), 'own')
})
afterEach(() => rm(top, { recursive: true, force: true }))

describe('readInside', () => {
  it('reads a file, and a link that stays inside', async () => {
    await symlink('own.md', join(folder, 'rules', 'link.md'))
    expect(await readInside(folder, join(folder, 'rules', 'own.md'))).toBe('own')
    expect(await readInside(folder, join(folder, 'rules', 'link.md'))).toBe('own')
  })

  it('reads nothing through a link that leads out, be it the file or a folder above it', async () => {
    await symlink('../../secret.md', join(folder, 'rules', 'out.md'))
    await symlink('..', join(folder, 'up'))
    expect(await readInside(folder, join(folder, 'rules', 'out.md'))).toBeUndefined()
    expect(await readInside(folder, join(folder, 'up', 'secret.md'))).toBeUndefined()
    expect(await readInside(folder, join(folder, '..', 'secret.md'))).toBeUndefined()
  })

  it('takes what is not there, and a folder, for nothing', async () => {
    expect(await readInside(folder, join(folder, 'none.md'))).toBeUndefined()
    expect(await readInside(folder, join(folder, 'rules'))).toBeUndefined()
  })
})
