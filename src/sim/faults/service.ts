import { type Stage, sleep, TurnEnd } from '../stage.ts'
import type { StepOf } from '../step.ts'

const ATTEMPTS_MAX = 10
const DELAY_MS = 100

/** The quota is used up: a few retries, the provider's reset time, and an end with an error. */
export async function playRateLimit(step: StepOf<'rate-limit'>, stage: Stage): Promise<void> {
  await retry(stage, step.attempts ?? 1, 429, 'rate_limit', DELAY_MS)
  if (step.resetInS !== undefined) {
    const resetsAt = Math.floor(Date.now() / 1_000) + step.resetInS
    stage.stream.event({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt, rateLimitType: 'five_hour', isUsingOverage: false },
    })
  }
  throw failed(429, 'API Error: 429 rate_limit_error: the simulated quota is spent')
}

/** The service is overloaded for some attempts, and recovers or not. */
export async function playOverload(step: StepOf<'overload'>, stage: Stage): Promise<void> {
  const status = step.status ?? 529
  await retry(stage, step.attempts, status, 'overloaded', step.delayMs ?? DELAY_MS)
  if (step.recovers === false) throw failed(status, `API Error: ${status} overloaded_error: simulated`)
}

async function retry(
  stage: Stage,
  attempts: number,
  status: number,
  error: string,
  delayMs: number,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    stage.stream.event({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: ATTEMPTS_MAX,
      retry_delay_ms: delayMs,
      error_status: status,
      error,
    })
    await sleep(delayMs, stage)
  }
}

function failed(status: number, text: string): TurnEnd {
  return new TurnEnd({
    isError: true,
    subtype: 'success',
    terminalReason: 'api_error',
    text,
    apiErrorStatus: status,
  })
}
