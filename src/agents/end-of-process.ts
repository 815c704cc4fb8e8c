import { type AgentErrorCode, agentError, classifyError, isWaiting } from './agent-error.ts'
import type { AgentExit, Conclusion } from './conversation.ts'

/** Shells and wrappers report a death by signal N as 128 + N. */
const SIGNAL_EXIT = 128
const FILE_SIZE_SIGNAL = 25

const SPENT =
  /resource temporarily unavailable|cannot fork|cannot allocate memory|out of memory|allocation failed|file too large|\b(?:EFBIG|ENOMEM|EAGAIN)\b/i

/** Whether the process was killed rather than ended. */
export function wasKilled({ exitCode, signal }: AgentExit): boolean {
  return (
    signal !== undefined || (exitCode !== undefined && exitCode > SIGNAL_EXIT && exitCode <= SIGNAL_EXIT + 64)
  )
}

/** The verdict on a process that ended without the closing event of its protocol. */
export function judgeSilentEnd(exit: AgentExit): Conclusion {
  const { exitCode, signal, words } = exit
  const how = signal ? `killed by ${signal}` : `exit code ${exitCode ?? 'unknown'}`
  const message = words.trim() === '' ? how : `${how}: ${lastWords(words)}`
  const fileTooLarge = signal === 'SIGXFSZ' || exitCode === SIGNAL_EXIT + FILE_SIZE_SIGNAL
  if (fileTooLarge || SPENT.test(words))
    return { reason: 'failed', error: agentError('AGENT_RESOURCE_LIMIT', message) }
  if (wasKilled(exit)) return { reason: 'crashed', error: agentError('AGENT_CRASHED', message) }
  return concludeError(classifyError(words), message)
}

/** A limit of the model's service is waited out; everything else is a failure. */
export function concludeError(code: AgentErrorCode, message: string): Conclusion {
  return { reason: isWaiting(code) ? 'rate-limited' : 'failed', error: agentError(code, message) }
}

function lastWords(words: string): string {
  return words.trim().split('\n').slice(-5).join('\n')
}
