import { expect, it } from 'vitest'
import { Turnstile } from '../turnstile.ts'
import { limitLines, linesAtOnce } from './limit-lines.ts'
import type { RunInSandbox } from './run-line.ts'

it('lets no more lines run at once than there are cores beside one', async () => {
  let running = 0
  let most = 0
  const run: RunInSandbox = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    const ending = { kind: 'exited', exitCode: 0 } as const
    return { ending, stdout: '', stderr: '', truncated: false, durationMs: 0 }
  }
  const limited = limitLines(run, new Turnstile(linesAtOnce(4)))
  const line = { line: 'true', cwd: '/', environment: {}, timeoutMs: 1 }
  await Promise.all(Array.from({ length: 12 }, () => limited(line)))
  expect(most).toBe(3)
  expect(linesAtOnce(1)).toBe(1)
})
