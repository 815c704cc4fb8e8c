import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTicksOf } from '../../../platform/process/process-table.ts'
import { changeProject } from '../../../project/document.ts'
import { FileStore } from '../../../store/jsonl/file-store.ts'
import { isDirectingWanted } from './is-directing-wanted.ts'

let folder: string
let store: FileStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-wanted-'))
  store = new FileStore({ folder })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Autopilot is on, and the project says that a process of this id and start directs it. */
async function directedBy(pid: number, born: string): Promise<void> {
  const at = await store.now()
  await changeProject(store, 'dex-001', (project) => ({
    ...project,
    mode: 'autopilot',
    director: { id: 'dex-001', pid, born, at },
  }))
}

it('does not direct while another process does', async () => {
  await directedBy(process.ppid, String(startTicksOf(process.ppid)))
  expect(await isDirectingWanted(store)).toBe(false)
})

it('directs after a director whose process id belongs to another process now', async () => {
  await directedBy(process.ppid, '1')
  expect(await isDirectingWanted(store)).toBe(true)
})
