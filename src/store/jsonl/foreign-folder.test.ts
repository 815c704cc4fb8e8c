import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../open-store.ts'

const PRECIOUS = 'export A=1\nlast line without an end'

let top: string
let folder: string
let precious: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'axiom-foreign-'))
  folder = join(top, 'clone', '.axiom')
  precious = join(top, 'precious')
  mkdirSync(folder, { recursive: true })
  writeFileSync(precious, PRECIOUS)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

async function openAndClose(): Promise<void> {
  await (await openStore({ folder, purpose: 'test' })).close()
}

describe('a store folder that came with a cloned repository', () => {
  it('removes no file that a lock file names', async () => {
    mkdirSync(join(folder, 'lock'))
    const owner = { pid: 1, purpose: 'x', since: 'x', socket: '../../../precious' }
    writeFileSync(join(folder, 'lock', '7'), JSON.stringify(owner))
    await openAndClose()
    expect(existsSync(join(folder, 'lock', '8'))).toBe(true)
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS)
  })

  it.each([['5'], ['null'], ['no json'], ['{"socket":5}']])(
    'takes over from a lock that says %s',
    async (text) => {
      mkdirSync(join(folder, 'lock'))
      writeFileSync(join(folder, 'lock', '7'), text)
      await openAndClose()
      expect(existsSync(join(folder, 'lock', '8'))).toBe(true)
    },
  )

  it('counts no lock whose number is too long to be counted on', async () => {
    mkdirSync(join(folder, 'lock'))
    writeFileSync(join(folder, 'lock', '9'.repeat(21)), '')
    await openAndClose()
    await openAndClose()
    expect(existsSync(join(folder, 'lock', '2'))).toBe(true)
  })

  it('sweeps no numbered files of a folder that the lock links to', async () => {
    mkdirSync(join(top, 'elsewhere'))
    writeFileSync(join(top, 'elsewhere', '2019'), 'letters')
    symlinkSync('../../elsewhere', join(folder, 'lock'))
    await expect(openAndClose()).rejects.toMatchObject({ code: 'STORE_LOCK_FAILED' })
    expect(readFileSync(join(top, 'elsewhere', '2019'), 'utf8')).toBe('letters')
  })

  it.each([['cases.jsonl'], ['leases.json']])(
    'reads and writes nothing through a link at %s',
    async (name) => {
      symlinkSync('../../precious', join(folder, name))
      await expect(openAndClose()).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
      expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS)
    },
  )

  it('appends no damaged line to what cases.jsonl.corrupt links to', async () => {
    writeFileSync(join(folder, 'cases.jsonl'), 'touch /planted\n')
    symlinkSync('../../precious', join(folder, 'cases.jsonl.corrupt'))
    await expect(openAndClose()).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    expect(readFileSync(precious, 'utf8')).toBe(PRECIOUS)
  })

  it('does not wait for ever on a pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'cases.jsonl')])
    await expect(openAndClose()).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })
})
