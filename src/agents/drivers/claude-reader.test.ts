import { describe, expect, it } from 'vitest'
import { NEW_SESSION } from '../driver.ts'
import { ClaudeReader } from './claude-reader.ts'

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
