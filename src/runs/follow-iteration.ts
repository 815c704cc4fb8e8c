import { createHash, type Hash } from 'node:crypto'
import type { Finding, Problem, Signal } from '../signals/finding.ts'
import { inOrder, type ParserOptions, SignalParser } from '../signals/signal-parser.ts'
import type { IterationEnd } from './iteration-result.ts'
import type { AgentFarewell, AgentNews, AgentSession } from './run-ports.ts'
import { addSpent, NOTHING_SPENT, type Spent } from './task-progress.ts'

/** What was said and spent in one iteration. */
export interface Heard {
  readonly end: IterationEnd
  readonly signals: readonly Signal[]
  readonly problems: readonly Problem[]
  readonly outputDigest: string
  /** The end of the agent's output. */
  readonly output: string
  readonly spent: Spent
}

export interface Listeners {
  onSignal(signal: Signal): void
  /** The agent's current activity, in a few words. */
  onActivity(activity: string): void
  onServiceWait(reason: string, delayMs: number): void
}

/** Enough of the agent's output to know what it did; the transcript has all of it. */
const OUTPUT_CHARACTERS_MAX = 16_000
const ACTIVITY_CHARACTERS_MAX = 120

/** Reads an agent's stream to its end. Only the agent's own text is searched for signals. */
export async function followIteration(
  session: AgentSession,
  parsing: ParserOptions,
  listeners: Listeners,
): Promise<Heard> {
  const ear = new Ear(parsing, listeners)
  for await (const event of session.events) ear.take(event)
  return ear.conclude(await session.ended)
}

class Ear {
  readonly #parser: SignalParser
  readonly #listeners: Listeners
  readonly #findings: Finding[] = []
  readonly #digest: Hash = createHash('sha256')
  #output = ''
  #spent = NOTHING_SPENT
  #resetAtMs: number | undefined

  constructor(parsing: ParserOptions, listeners: Listeners) {
    this.#parser = new SignalParser(parsing)
    this.#listeners = listeners
  }

  take(event: AgentNews): void {
    switch (event.type) {
      case 'speech':
        this.#hear(event.text, event.ends)
        break
      case 'tool-call':
        this.#listeners.onActivity(activityOf(event.tool, event.input))
        break
      case 'activity':
        this.#listeners.onActivity(event.what.slice(0, ACTIVITY_CHARACTERS_MAX))
        break
      case 'usage':
        this.#spent = addSpent(this.#spent, { tokens: event.usage, costUsd: 0 })
        break
      case 'cost':
        this.#spent = { ...this.#spent, costUsd: this.#spent.costUsd + event.usd }
        break
      case 'retry':
        this.#listeners.onServiceWait(event.reason, event.delayMs)
        break
      case 'rate-limit':
        this.#resetAtMs = event.resetAtMs
        break
    }
  }

  #hear(text: string, ends: boolean): void {
    this.#digest.update(text)
    this.#output = (this.#output + text + (ends ? '\n' : '')).slice(-OUTPUT_CHARACTERS_MAX)
    this.#learn(this.#parser.feed(text))
    if (ends) this.#learn(this.#parser.endMessage())
  }

  #learn(findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.#findings.push(finding)
      if (finding.kind === 'signal') this.#listeners.onSignal(finding)
    }
  }

  conclude(farewell: AgentFarewell): Heard {
    this.#learn(this.#parser.end())
    const findings = inOrder(this.#findings)
    return {
      end: endOf(farewell, this.#resetAtMs),
      signals: findings.filter((finding) => finding.kind === 'signal'),
      problems: findings.filter((finding) => finding.kind === 'problem'),
      outputDigest: this.#digest.digest('hex'),
      output: this.#output.trimEnd(),
      spent: this.#spent,
    }
  }
}

function endOf({ reason, exitCode, error }: AgentFarewell, resetAtMs: number | undefined): IterationEnd {
  const words = error ? `${error.code}: ${error.message}` : `it ended with exit code ${exitCode ?? 'unknown'}`
  switch (reason) {
    case 'completed':
      return { kind: 'completed' }
    case 'rate-limited':
      return { kind: 'rate-limited', reason: words, resetAtMs }
    case 'crashed':
      return { kind: 'crashed', reason: words }
    case 'stopped':
    case 'interrupted':
      return { kind: 'stopped' }
    case 'failed':
      // An agent that used up its turns was at work: the next iteration continues there.
      if (error?.code === 'AGENT_TURNS_EXCEEDED') return { kind: 'completed' }
      return { kind: 'failed', reason: hinted(words, error), needsPerson: error?.retryable === false }
  }
}

function hinted(words: string, error: AgentFarewell['error']): string {
  return error?.retryable === false ? `${words}. ${error.hint}` : words
}

function activityOf(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : []
  const first = values.find((value) => typeof value === 'string')
  return (first === undefined ? tool : `${tool}: ${first}`)
    .replaceAll(/\s+/g, ' ')
    .slice(0, ACTIVITY_CHARACTERS_MAX)
}
