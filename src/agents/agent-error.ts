/** Why an agent failed, independent of its program. */
export type AgentErrorCode =
  | 'AGENT_LOGGED_OUT'
  | 'AGENT_MODEL_UNKNOWN'
  | 'AGENT_RATE_LIMITED'
  | 'AGENT_OVERLOADED'
  | 'AGENT_UNREACHABLE'
  | 'AGENT_PROMPT_TOO_LONG'
  | 'AGENT_TURNS_EXCEEDED'
  | 'AGENT_BUDGET_EXCEEDED'
  | 'AGENT_REFUSED'
  | 'AGENT_SESSION_UNKNOWN'
  | 'AGENT_PLAYBOOK_INVALID'
  | 'AGENT_RESOURCE_LIMIT'
  | 'AGENT_OUTPUT_INVALID'
  | 'AGENT_CRASHED'
  | 'AGENT_FAILED'

export interface AgentError {
  readonly code: AgentErrorCode
  /** What the program said, shortened. */
  readonly message: string
  readonly hint: string
  /** Whether the same request may succeed later without a person. */
  readonly retryable: boolean
}

const HINTS: Record<AgentErrorCode, { hint: string; retryable: boolean }> = {
  AGENT_LOGGED_OUT: {
    hint: 'Log in with the agent program itself, or set its API key in the environment.',
    retryable: false,
  },
  AGENT_MODEL_UNKNOWN: { hint: 'Set "agents.model" to a model that the program knows.', retryable: false },
  AGENT_RATE_LIMITED: { hint: 'The work goes on when the quota returns.', retryable: true },
  AGENT_OVERLOADED: { hint: 'The work goes on when the service answers again.', retryable: true },
  AGENT_UNREACHABLE: {
    hint: 'Check the network, the proxy variables and "sandbox.network".',
    retryable: true,
  },
  AGENT_PROMPT_TOO_LONG: {
    hint: 'Split the task, or lower the token budget of its prompt.',
    retryable: false,
  },
  AGENT_TURNS_EXCEEDED: { hint: 'The next iteration goes on with the work.', retryable: true },
  AGENT_BUDGET_EXCEEDED: { hint: 'Raise the budget of the case.', retryable: false },
  AGENT_REFUSED: { hint: 'The model refused the request; reword the task.', retryable: false },
  AGENT_SESSION_UNKNOWN: { hint: 'The session is gone; start the agent afresh.', retryable: false },
  AGENT_PLAYBOOK_INVALID: { hint: 'Mend the playbook of the simulated agent.', retryable: false },
  AGENT_RESOURCE_LIMIT: { hint: 'Raise "sandbox.limits", or find what used so much.', retryable: false },
  AGENT_OUTPUT_INVALID: {
    hint: 'The program does not speak the dialect of its driver; check "agents.driver" and its version.',
    retryable: false,
  },
  AGENT_CRASHED: { hint: 'The log of the run shows the last words.', retryable: true },
  AGENT_FAILED: { hint: 'The log of the run shows why.', retryable: true },
}

const MESSAGE_LENGTH_MAX = 500

export function agentError(code: AgentErrorCode, message: string): AgentError {
  const { hint, retryable } = HINTS[code]
  return { code, message: message.trim().slice(0, MESSAGE_LENGTH_MAX), hint, retryable }
}

/** Programs report most failures of the model's service as prose or an HTTP status; the first match decides. */
const CLASSES: readonly [AgentErrorCode, RegExp][] = [
  ['AGENT_PLAYBOOK_INVALID', /playbook/i],
  ['AGENT_SESSION_UNKNOWN', /no conversation found|session (?:id )?\S* ?not found|no previous sessions/i],
  ['AGENT_LOGGED_OUT', /not logged in|invalid api key|unauthori[sz]ed|\b401\b|log ?in|authentication/i],
  ['AGENT_MODEL_UNKNOWN', /unrecognized_model|selected model|model .{0,80}(?:not (?:found|exist)|unknown)/i],
  ['AGENT_PROMPT_TOO_LONG', /prompt[ _](?:is )?too[ _]long|context[ _](?:length|window)/i],
  ['AGENT_RATE_LIMITED', /rate.?limit|\b429\b|quota|usage limit|too many requests/i],
  ['AGENT_OVERLOADED', /overload|\b5(?:00|02|03|04|29)\b|high demand|server[ _]error|unavailable/i],
  ['AGENT_UNREACHABLE', /ECONN|ENOTFOUND|EAI_AGAIN|timed out|network|fetch failed|socket hang up/i],
  ['AGENT_REFUSED', /refus(?:al|ed)/i],
]

export function classifyError(text: string): AgentErrorCode {
  return CLASSES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'AGENT_FAILED'
}

/** A limit of the service is waited out; it does not count against the attempt. */
export function isWaiting(code: AgentErrorCode): boolean {
  return code === 'AGENT_RATE_LIMITED' || code === 'AGENT_OVERLOADED'
}
