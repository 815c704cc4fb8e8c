import type { AgentEnd, AgentEvent, AgentProcess, Usage } from '../../../../agents/driver.ts'
import { NO_USAGE } from '../../../../agents/driver.ts'
import { Failure } from '../../../../platform/failure.ts'
import { chooseSignal } from '../../../../signals/choose-signal.ts'
import type { Signal } from '../../../../signals/finding.ts'
import { parseSignals } from '../../../../signals/signal-parser.ts'
import type { Vocabulary } from '../../../../vocabulary/vocabulary.ts'

/** Calls of tools in one iteration: enough to look through a large repository. */
export const TOOL_CALLS_MAX = 200
/** Per iteration; the oldest text is dropped first. */
const SPEECH_CHARACTERS_MAX = 400_000

export interface Heard {
  readonly messages: readonly string[]
  readonly verdict: Signal | null
  readonly end: AgentEnd
  readonly costUsd: number
  readonly usage: Usage
  /** Why the agent was stopped from outside, if it was. */
  readonly stopped?: string
}

export interface HearOptions {
  readonly vocabulary: Vocabulary
  readonly secondsMax: number
  /** Called with each complete message. */
  told(message: string): void
}

/**
 * Follows one iteration to its end, or ends it at its limits. Ctrl-C stops the agent before AXIOM itself
 * exits.
 */
export async function hearAva(agent: AgentProcess, options: HearOptions): Promise<Heard> {
  let stopped: string | undefined
  const stop = (why: string): void => {
    stopped ??= why
    agent.stop().catch(() => undefined)
  }
  const interrupt = (): void => stop('interrupted')
  const timer = setTimeout(
    () => stop(`she was not done after ${options.secondsMax} s`),
    options.secondsMax * 1_000,
  )
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const heard = await follow(agent, options, stop)
    if (stopped === 'interrupted') {
      throw new Failure('INTERRUPTED', 'the conversation was interrupted', { hint: 'nothing was written' })
    }
    return stopped === undefined ? heard : { ...heard, stopped }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function follow(
  agent: AgentProcess,
  { vocabulary, told }: HearOptions,
  stop: (why: string) => void,
): Promise<Heard> {
  const speech = new Speech(told)
  let calls = 0
  let costUsd = 0
  let usage = NO_USAGE
  for await (const event of agent.events) {
    speech.take(event)
    if (event.type === 'cost') costUsd += event.usd
    if (event.type === 'usage') usage = sum(usage, event.usage)
    if (event.type === 'tool-call' && ++calls > TOOL_CALLS_MAX) {
      stop(`she used more than ${TOOL_CALLS_MAX} tools`)
    }
  }
  const messages = speech.messages()
  const { signals } = parseSignals(messages, { names: vocabulary.signals, role: 'onboarding' })
  return { messages, verdict: chooseSignal(signals), end: await agent.ended, costUsd, usage }
}

/** Joins the pieces of messages, within a bound. */
class Speech {
  readonly #told: (message: string) => void
  readonly #messages: string[] = []
  #open = ''

  constructor(told: (message: string) => void) {
    this.#told = told
  }

  take(event: AgentEvent): void {
    if (event.type !== 'speech') return
    this.#open = (this.#open + event.text).slice(-SPEECH_CHARACTERS_MAX)
    if (event.ends) this.#close()
  }

  messages(): string[] {
    this.#close()
    return this.#messages
  }

  #close(): void {
    const message = this.#open
    this.#open = ''
    if (message.trim() === '') return
    this.#messages.push(message)
    let kept = this.#messages.reduce((characters, one) => characters + one.length, 0)
    while (kept > SPEECH_CHARACTERS_MAX) kept -= this.#messages.shift()?.length ?? kept
    this.#told(message)
  }
}

export function sum(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}
