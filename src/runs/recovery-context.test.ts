import { describe, expect, it } from 'vitest'
import { AXIOM } from '../vocabulary/axiom.ts'
import { formatLogEntry, type LogEntry } from './execution-log.ts'
import { recoveryOf } from './recovery-context.ts'

const log = (...entries: LogEntry[]) =>
  `${entries.map((entry) => formatLogEntry(AXIOM, 0, entry)).join('\n')}\n`
const start: LogEntry = { event: 'start', task: 'task-001' }
const iteration: LogEntry = {
  event: 'iteration',
  number: 1,
  input: 'the prompt',
  output: 'I began with a.js',
}

describe('what the next agent is told of an attempt that broke off', () => {
  it('is nothing when there was none, or when it ended in order', () => {
    const asked: LogEntry = { event: 'pending', durationMs: 1, iterations: 1 }
    for (const text of ['', log(start, iteration, asked)]) {
      expect(recoveryOf({ log: text, end: 'pending', commits: [], restarts: 0 })).toBeUndefined()
    }
  })

  it('is there when the end was logged and never reached the task', () => {
    const ended: LogEntry = { event: 'complete', durationMs: 1, iterations: 1 }
    const attempt = { log: log(start, iteration, ended), commits: ['abc123 feat: all'], restarts: 1 }
    expect(recoveryOf({ ...attempt, end: 'complete' })).toBeUndefined()
    expect(recoveryOf(attempt)?.reason).toContain('Its commits are on your branch: abc123 feat: all')
  })

  it('is what is left of the log when its start was too long ago to be read', () => {
    const recovery = recoveryOf({ log: log(iteration, iteration), commits: [], restarts: 1 })
    expect(recovery?.log?.text).toContain('I began with a.js')
  })

  it('is what it did and committed, when it was cut off in the middle of a line', () => {
    const earlier: LogEntry = { event: 'iteration', number: 1, input: '', output: 'long ago' }
    const text = `${log(start, earlier, start, iteration)}{"timestamp":"2026-`
    const recovery = recoveryOf({ log: text, commits: ['abc123 feat: begin'], restarts: 1 })
    expect(recovery?.reason).toBe(
      'The last attempt broke off (it was cut off without a word; restarts so far: 1). Its commits are on your branch: abc123 feat: begin. Look at them first.',
    )
    expect(recovery?.log?.text).toContain('I began with a.js')
    expect(recovery?.log?.text).not.toContain('long ago')
    expect(recovery?.log?.text).not.toContain('the prompt')
  })

  it('names the reason of an attempt that failed', () => {
    const failed: LogEntry = { event: 'failed', reason: 'exit code 3', durationMs: 1, iterations: 1 }
    const recovery = recoveryOf({ log: log(start, iteration, failed), commits: [], restarts: 0 })
    expect(recovery?.reason).toContain('failed: exit code 3')
    expect(recovery?.reason).toContain('It left no commit.')
  })

  it('is bounded, however long the attempt was', () => {
    const entries = Array.from({ length: 1_000 }, () => ({ ...iteration, output: 'x'.repeat(10_000) }))
    const recovery = recoveryOf({ log: log(start, ...entries), commits: [], restarts: 0 })
    expect(recovery?.log?.text.length).toBeLessThan(50_000)
  })
})
