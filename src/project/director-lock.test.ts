import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HostMark } from '../platform/host-mark.ts'
import { startTicksOf } from '../platform/process/process-table.ts'
import { FileStore } from '../store/jsonl/file-store.ts'
import { isDirectorAlive, type LockHolder, takeDirectorLock } from './director-lock.ts'
import { changeProject, readProject } from './document.ts'

const HERE: HostMark = { name: 'alpha', machine: 'm1', boot: 'b1' }
const THERE: HostMark = { name: 'beta', machine: 'm2', boot: 'b2' }
const AT = '2026-01-01T00:00:00.000Z'

let folder: string
let store: FileStore
let asked: number[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'axiom-seat-'))
  store = new FileStore({ folder })
  asked = []
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const newHolder = (isAlive = false): LockHolder => ({
  id: 'dex-002',
  pid: 20,
  born: 'b',
  host: HERE,
  async isAlive({ pid }) {
    asked.push(pid)
    return isAlive
  },
})

const leave = (host?: HostMark) =>
  changeProject(store, 'dex-001', (project) => ({
    ...project,
    director: { id: 'dex-001', pid: 10, born: 'a', at: AT, ...(host ? { host } : {}) },
  }))

const holder = async () => (await readProject(store)).project.director

describe('a director that did not leave its seat', () => {
  it('on another host is not judged by a process of this one: the seat is refused, with what to do', async () => {
    await leave(THERE)
    await expect(takeDirectorLock(store, newHolder())).rejects.toMatchObject({
      code: 'DIRECTOR_OTHER_HOST',
      message: 'dex-001 directs this project on the host beta (process 10)',
      hint: expect.stringContaining('axiom run --take-over'),
    })
    expect(asked).toEqual([])
    expect(await holder()).toMatchObject({ id: 'dex-001' })
  })

  it('in another container of this machine counts as one on another host', async () => {
    await leave({ ...THERE, boot: HERE.boot })
    await expect(takeDirectorLock(store, newHolder())).rejects.toMatchObject({ code: 'DIRECTOR_OTHER_HOST' })
  })

  it('on another host makes room where a person says that it is over', async () => {
    await leave(THERE)
    await takeDirectorLock(store, newHolder(), { takesOver: true })
    expect(await holder()).toMatchObject({ id: 'dex-002', host: HERE })
  })

  it('on this host keeps its seat while it lives, whatever a person says', async () => {
    await leave(HERE)
    const taking = takeDirectorLock(store, newHolder(true), { takesOver: true })
    await expect(taking).rejects.toMatchObject({ code: 'DIRECTOR_RUNNING' })
    expect(asked).toEqual([10])
  })

  it('is dead once this host was started again, even if a process has its number', async () => {
    await leave({ ...HERE, boot: 'b0' })
    await takeDirectorLock(store, newHolder(true))
    expect(await holder()).toMatchObject({ id: 'dex-002' })
  })

  it('and named no host, as older versions do, is judged by its process', async () => {
    await leave()
    await takeDirectorLock(store, newHolder())
    expect(asked).toEqual([10])
  })
})

/** Above the largest process id of Linux. */
const PID_OF_NO_PROCESS = 4_194_305
const seatOf = (pid: number, born: string) => ({ id: 'dex-001', pid, born, at: AT })
const ownStart = String(startTicksOf(process.pid))

it.each([
  { process: 'that runs', pid: process.pid, born: ownStart, isAlive: true },
  { process: 'that is gone', pid: PID_OF_NO_PROCESS, born: ownStart, isAlive: false },
  { process: 'whose id another process has now', pid: process.pid, born: '1', isAlive: false },
  { process: 'that runs, its start unknown', pid: process.pid, born: '', isAlive: true },
  { process: 'that is gone, its start unknown', pid: PID_OF_NO_PROCESS, born: '', isAlive: false },
])('a director is alive as its process is: one $process', async ({ pid, born, isAlive }) => {
  expect(await isDirectorAlive(seatOf(pid, born))).toBe(isAlive)
})
