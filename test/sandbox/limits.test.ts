import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, endOf } from '../../src/agents/driver.contract.ts'
import { commandDriver } from '../../src/agents/drivers/command.ts'
import { DEFAULT_LIMITS } from '../../src/platform/sandbox/confinement.ts'
import { hostAt, levels, makeRequest, processesWith, programs } from './agent-host.ts'

const MEBIBYTE = 1024 ** 2
const PROCESSES_MAX = 256

/** Without a namespace the kernel would count everything that the user runs. */
const counted = levels.filter((level) => level !== 'process-group')

describe.each(counted)('F9: limits on processes at level %s', (level) => {
  it('end a fork bomb while the machine goes on, and the end says why', async () => {
    const word = randomUUID()
    const bomb = 'while :; do sh -c "sleep 30; :" $0 & done'
    const host = hostAt(level, { limits: { ...DEFAULT_LIMITS, processesMax: PROCESSES_MAX } })
    const agent = await commandDriver(host, { command: ['sh', '-c', bomb, word], folder: programs }).start(
      await makeRequest(),
    )
    const end = endOf(await collect(agent))
    expect(spawnSync('true').status).toBe(0)
    expect(end).toMatchObject({ reason: 'failed', error: { code: 'AGENT_RESOURCE_LIMIT' } })
    expect(await processesWith(word)).toBe(0)
  })

  it('are counted for each agent alone', async () => {
    const host = hostAt(level, { limits: { ...DEFAULT_LIMITS, processesMax: 40 } })
    const many =
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 1 & done; wait; echo fine'
    const driver = commandDriver(host, { command: ['sh', '-c', many], folder: programs })
    const requests = await Promise.all([1, 2, 3, 4].map(() => makeRequest()))
    const ends = await Promise.all(
      requests.map(async (request) => endOf(await collect(await driver.start(request)))),
    )
    expect(ends.map(({ reason }) => reason)).toEqual(Array(4).fill('completed'))
  })
})

describe.each(levels)('F9: limits on files and memory at level %s', (level) => {
  it.each([
    ['a real file', `head -c ${64 * MEBIBYTE} /dev/zero > big`],
    ['a sparse file', `truncate -s 100G big`],
  ])('end an agent that writes %s beyond them', async (_what, script) => {
    const host = hostAt(level, { limits: { ...DEFAULT_LIMITS, fileBytesMax: 16 * MEBIBYTE } })
    const request = await makeRequest()
    const driver = commandDriver(host, { command: ['sh', '-c', script], folder: programs })
    const end = endOf(await collect(await driver.start(request)))
    expect(end).toMatchObject({ reason: 'failed', error: { code: 'AGENT_RESOURCE_LIMIT' } })
    const { size } = await stat(join(request.workspace, 'big'))
    expect(size).toBeLessThanOrEqual(16 * MEBIBYTE)
  })

  it('end an agent that takes too much memory', async () => {
    const host = hostAt(level, { limits: { ...DEFAULT_LIMITS, memoryBytesMax: 1024 * MEBIBYTE } })
    const eat = 'const eaten = []; for (;;) eaten.push(Buffer.alloc(50e6, 1))'
    const driver = commandDriver(host, { command: ['node', '-e', eat], folder: programs })
    const end = endOf(await collect(await driver.start(await makeRequest())))
    expect(end).toMatchObject({ reason: 'failed', error: { code: 'AGENT_RESOURCE_LIMIT' } })
  })
})
