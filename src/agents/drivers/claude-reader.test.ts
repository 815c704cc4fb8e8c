import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { type AgentEvent, NEW_SESSION } from '../driver.ts'
import { JsonLines } from '../json-lines.ts'
import { ClaudeReader } from './claude-reader.ts'

const golden = resolve(import.meta.dirname, '../../../test/golden/claude')

/** Reads a transcript in chunks of a size that cuts lines and characters anywhere. */
function read(transcript: Buffer, chunkBytes: number) {
  const events: AgentEvent[] = []
  const emit = (event: AgentEvent) => events.push(event)
  const reader = new ClaudeReader(emit, { ...NEW_SESSION, id: 'given', costUsd: 0.01 })
  const lines = new JsonLines((object, raw) => reader.take(object, raw), emit)
  for (let at = 0; at < transcript.length; at += chunkBytes)
    lines.push(transcript.subarray(at, at + chunkBytes))
  lines.flush()
  return { events, end: reader.conclude({ exitCode: 0, signal: undefined, words: '' }, lines.understood) }
}

describe('a transcript of claude', () => {
  const transcript = readFileSync(resolve(golden, 'transcript.jsonl'))
  const whole = read(transcript, transcript.length)

  it('is read as it stands in the golden file', () => {
    const lines = [...whole.events, whole.end].map((event) => JSON.stringify(event))
    expectGolden('claude/events.jsonl', `${lines.join('\n')}\n`)
  })

  it.each([1, 7, 64, 1000])('is read the same in chunks of %i bytes', (chunkBytes) => {
    expect(read(transcript, chunkBytes)).toEqual(whole)
  })
})

describe('the end of claude', () => {
  const result = { type: 'result', subtype: 'success', is_error: false }
  const end = (events: object[], exitCode: number | undefined, words = '', signal?: string) => {
    const reader = new ClaudeReader(() => {}, NEW_SESSION)
    for (const event of events) reader.take({ ...event }, '')
    return reader.conclude({ exitCode, signal, words }, events.length)
  }

  it.each([
    ['a result and exit 0', [result], 0, 'completed', undefined],
    ['a result and exit 1', [result], 1, 'failed', 'AGENT_FAILED'],
    ['a result and a death', [result], 137, 'crashed', 'AGENT_CRASHED'],
    ['a result without is_error', [{ type: 'result' }], 0, 'failed', 'AGENT_FAILED'],
    ['an error that exits 0', [{ ...result, is_error: true, result: 'x' }], 0, 'failed', 'AGENT_FAILED'],
    ['an earlier error, then a result', [{ ...result, is_error: true }, result], 0, 'completed', undefined],
    [
      'too many turns',
      [{ ...result, subtype: 'error_max_turns', is_error: true }],
      1,
      'failed',
      'AGENT_TURNS_EXCEEDED',
    ],
    [
      'the budget',
      [{ ...result, subtype: 'error_max_budget_usd', is_error: true }],
      1,
      'failed',
      'AGENT_BUDGET_EXCEEDED',
    ],
    [
      'a long prompt',
      [{ ...result, is_error: true, terminal_reason: 'prompt_too_long' }],
      1,
      'failed',
      'AGENT_PROMPT_TOO_LONG',
    ],
    [
      'a limit',
      [{ ...result, is_error: true, api_error_status: 429 }],
      1,
      'rate-limited',
      'AGENT_RATE_LIMITED',
    ],
    [
      'an outage',
      [{ ...result, is_error: true, api_error_status: 500 }],
      1,
      'rate-limited',
      'AGENT_OVERLOADED',
    ],
    ['no result and exit 143', [{ type: 'system' }], 143, 'crashed', 'AGENT_CRASHED'],
    ['no result and exit 0', [{ type: 'system' }], 0, 'crashed', 'AGENT_CRASHED'],
  ])('with %s', (_how, events, exitCode, reason, code) => {
    const conclusion = end(events, exitCode)
    expect([conclusion.reason, conclusion.error?.code]).toEqual([reason, code])
  })
})
