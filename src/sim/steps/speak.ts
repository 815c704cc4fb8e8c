import { NOTHING } from '../ledger.ts'
import { lineSignal, tagSignal } from '../signal-text.ts'
import { type Stage, say } from '../stage.ts'
import type { StepOf } from '../step.ts'

/** `after` is said before the signal in the same message. */
export function playSignal(step: StepOf<'signal'>, stage: Stage): void {
  const signal =
    step.tag !== undefined
      ? tagSignal(stage.names, step.tag, step.payload)
      : lineSignal(step.line ?? '', step.task ?? stage.situation.taskId, step.body)
  say(stage, step.after === undefined ? signal : `${step.after}\n\n${signal}`)
}

export function playAsk(step: StepOf<'ask'>, stage: Stage): void {
  say(stage, `I cannot decide this alone.\n\n${tagSignal(stage.names, 'PENDING', step.question)}`)
}

export function playThink(step: StepOf<'think'>, stage: Stage): void {
  const inputTokens = step.inputTokens ?? 0
  const outputTokens = step.outputTokens ?? 0
  stage.stream.thought(step.text ?? 'Thinking it over.', { ...NOTHING, inputTokens, outputTokens })
}
