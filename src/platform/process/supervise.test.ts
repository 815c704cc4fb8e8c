import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type SupervisedProcess, supervise } from './supervise.ts'

/** Longer than a silent pipe is waited for. */
const HELD_UP_MS = 1_500
/** More than the stream takes in unread, and little enough that the kernel keeps the rest when the program ends. */
const WRITTEN_BYTES = 180_000

function start(line: string): Promise<SupervisedProcess> {
  return supervise({
    program: 'sh',
    args: ['-c', line],
    cwd: tmpdir(),
    environment: { PATH: process.env.PATH ?? '' },
    containment: 'group',
    wrapperDepth: 0,
  })
}

async function read(stream: Readable, afterChunk: () => Promise<unknown> = async () => {}): Promise<string> {
  let text = ''
  try {
    for await (const chunk of stream) {
      text += String(chunk)
      await afterChunk()
    }
  } catch {
    return text
  }
  return text
}

describe('the output of a program that has ended', () => {
  it('is kept for a reader that is held up', async () => {
    const running = await start(`head -c ${WRITTEN_BYTES} /dev/zero | tr '\\0' x`)
    const heldUp = running.ended.then(() => sleep(HELD_UP_MS))
    const reading = read(running.stdout, () => heldUp)
    expect((await reading).length).toBe(WRITTEN_BYTES)
  })

  it('is kept while the whole orchestrator is held up', async () => {
    const running = await start(`head -c ${WRITTEN_BYTES} /dev/zero | tr '\\0' x`)
    const heldUp = running.ended.then(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS)
    })
    const reading = read(running.stdout, () => heldUp)
    expect((await reading).length).toBe(WRITTEN_BYTES)
  })

  it('is not waited for where a process that escaped keeps the pipe open and is silent', async () => {
    const running = await start(`( setsid env -i sh -c 'echo $$; exec sleep 60' & ); sleep 0.2`)
    const reading = read(running.stdout)
    await running.ended
    const endedAtMs = performance.now()
    const escaped = Number(await reading)
    expect(performance.now() - endedAtMs).toBeLessThan(30_000)
    expect(escaped).toBeGreaterThan(1)
    process.kill(escaped, 'SIGKILL')
  })

  it('is not waited for where a process that escaped goes on writing', async () => {
    const running = await start(
      `( setsid env -i sh -c 'echo $$; while sleep 0.05; do echo more; done' 2>&- & ); sleep 0.2`,
    )
    const reading = read(running.stdout)
    await running.ended
    const endedAtMs = performance.now()
    const text = await reading
    expect(performance.now() - endedAtMs).toBeLessThan(30_000)
    expect(text).toContain('more')
    // The next line that it writes has no reader any more and ends it.
    const escaped = Number.parseInt(text, 10)
    await expect.poll(() => isThere(escaped), { timeout: 30_000 }).toBe(false)
  })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
