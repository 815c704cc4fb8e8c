import { expect, it } from 'vitest'
import { agentError, classifyError, isWaiting } from './agent-error.ts'

it.each([
  ['Not logged in · Please run /login', 'AGENT_LOGGED_OUT'],
  ['API Error: 401 Invalid API key', 'AGENT_LOGGED_OUT'],
  ["There's an issue with the selected model (nosuch-model)", 'AGENT_MODEL_UNKNOWN'],
  ['API Error: 429 rate_limit_error', 'AGENT_RATE_LIMITED'],
  ["We're currently experiencing high demand", 'AGENT_OVERLOADED'],
  ['API Error: 529 overloaded_error', 'AGENT_OVERLOADED'],
  ['read ECONNRESET', 'AGENT_UNREACHABLE'],
  ['No conversation found with session ID 5', 'AGENT_SESSION_UNKNOWN'],
  ['playbook line 3: unknown step', 'AGENT_PLAYBOOK_INVALID'],
  ['something else', 'AGENT_FAILED'],
])('%s is %s', (text, code) => {
  expect(classifyError(text)).toBe(code)
})

it('waits for limits and overload only', () => {
  expect(isWaiting('AGENT_RATE_LIMITED') && isWaiting('AGENT_OVERLOADED')).toBe(true)
  expect(isWaiting('AGENT_LOGGED_OUT')).toBe(false)
})

it('keeps a message short, however much the program says', () => {
  expect(agentError('AGENT_FAILED', 'x'.repeat(10_000)).message).toHaveLength(500)
})
