import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { thisHost } from '../../platform/host-mark.ts'
import { openStore } from '../open-store.ts'

const FOREIGN = { name: 'beta', machine: 'another-machine', boot: 'another-boot' }
const OWNER = { pid: process.pid, purpose: 'axiom run', since: 'then', socket: '1-0123456789ab.sock' }

let folder: string
let lock: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'axiom-lock-')), '.axiom')
  lock = join(folder, 'lock')
  mkdirSync(lock, { recursive: true })
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const open = () => openStore({ folder, purpose: 'test' })
const writeLock = (fields: object) => writeFileSync(join(lock, '7'), JSON.stringify({ ...OWNER, ...fields }))

describe('a lock of the store that was made on another host', () => {
  it('is not judged by what this host knows: the store is refused, with what to do', async () => {
    writeLock({ host: FOREIGN })
    const refused = await open().catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'STORE_OTHER_HOST', retryable: false })
    const { message, hint } = refused as { message: string; hint: string }
    expect(message).toContain('"axiom run" on the host beta')
    expect(hint).toContain(join(lock, '7'))
    // Nothing of the attempt is left.
    expect(readdirSync(lock)).toEqual(['7'])
  })

  it('is free once its owner has given it up, or a person has removed it', async () => {
    writeLock({ host: FOREIGN, released: true })
    await (await open()).close()
    expect(readdirSync(lock)).toEqual(['8'])
    writeFileSync(join(lock, '9'), JSON.stringify({ ...OWNER, host: FOREIGN }))
    await expect(open()).rejects.toMatchObject({ code: 'STORE_OTHER_HOST' })
    rmSync(join(lock, '9'))
    await (await open()).close()
  })
})

describe('a lock of the store that was made on this host', () => {
  it('says who made it and, at the end, that it is given up', async () => {
    const store = await open()
    const read = () => JSON.parse(readFileSync(join(lock, '1'), 'utf8')) as object
    expect(read()).toMatchObject({ host: thisHost(), pid: process.pid })
    expect(read()).not.toHaveProperty('released')
    const second = await open()
    await second.close()
    expect(read()).not.toHaveProperty('released')
    await store.close()
    expect(read()).toMatchObject({ host: thisHost(), released: true })
  })

  it.each([
    ['before it was started again', { ...thisHost(), boot: 'an-earlier-boot' }],
    ['by a version that named no host', undefined],
  ])('is dead when its socket is silent: %s', async (_, host) => {
    writeLock({ host })
    await (await open()).close()
    expect(readdirSync(lock)).toEqual(['8'])
  })
})
