import type { Span } from './check.ts'
import type { Inbox } from './inbox.ts'
import type { Random } from './random.ts'
import type { SignalNames } from './signal-text.ts'
import type { Situation } from './situation.ts'
import type { ClaudeStream, Closing } from './stream.ts'

/** Everything that a step can access while it is played. */
export interface Stage {
  readonly situation: Situation
  /** For the commands that the agent runs. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stream: ClaudeStream
  readonly names: SignalNames
  readonly random: Random
  readonly inbox: Inbox
  /** Fires when the turn is interrupted. */
  readonly abort: AbortSignal
  /** The base of relative paths in the playbook. */
  readonly playbookFolder: string
  readonly paceMs: Span
  readonly asksPermission: boolean
  /** The base commit of a review, if the caller gives one. */
  readonly base: string | undefined
  /** The last message; the closing event repeats it. */
  lastWords: string
}

/** Thrown by a step that ends the turn by itself. */
export class TurnEnd extends Error {
  readonly closing: Closing

  constructor(closing: Closing) {
    super(closing.text)
    this.closing = closing
  }
}

/** Thrown where an interruption is noticed. */
export class Interrupted extends Error {
  readonly during: 'aborted_streaming' | 'aborted_tools'

  constructor(during: Interrupted['during']) {
    super(during)
    this.during = during
  }
}

export function say(stage: Stage, text: string): void {
  stage.lastWords = text
  stage.stream.speech(text)
}

export function lengthOf(span: Span, random: Random): number {
  return typeof span === 'number' ? span : random.between(span[0], span[1])
}

export async function sleep(ms: number, stage: Stage): Promise<void> {
  if (stage.abort.aborted) throw new Interrupted('aborted_streaming')
  if (ms === 0) return
  await new Promise<void>((resolve, reject) => {
    const interrupted = (): void => {
      clearTimeout(timer)
      reject(new Interrupted('aborted_streaming'))
    }
    const timer = setTimeout(() => {
      stage.abort.removeEventListener('abort', interrupted)
      resolve()
    }, ms)
    stage.abort.addEventListener('abort', interrupted, { once: true })
  })
}
