import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RotatingLog } from './rotating-log.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'axiom-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a rotating log', () => {
  it('keeps the newest bytes in order and never more than its cap', async () => {
    const path = join(folder, 'logs/agent.log')
    const log = await RotatingLog.open(path, { fileBytesMax: 10, filesMax: 3 })
    for (let number = 10; number < 50; number += 1) await log.write(Buffer.from(`${number}`))
    await log.close()
    expect((await readdir(join(folder, 'logs'))).toSorted()).toEqual([
      'agent.log',
      'agent.log.1',
      'agent.log.2',
    ])
    const kept = await Promise.all([`${path}.2`, `${path}.1`, path].map((file) => readFile(file, 'utf8')))
    expect(kept.join('')).toBe('353637383940414243444546474849')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('goes on where an earlier run stopped', async () => {
    const path = join(folder, 'agent.log')
    for (const word of ['first ', 'second']) {
      await using log = await RotatingLog.open(path, { fileBytesMax: 100, filesMax: 2 })
      await log.write(Buffer.from(word))
    }
    expect(await readFile(path, 'utf8')).toBe('first second')
  })
})
