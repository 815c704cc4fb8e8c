import type { ParserOptions } from '../signals/signal-parser.ts'
import { followIteration, type Heard, type Listeners } from './follow-iteration.ts'
import type { RunControl } from './run-control.ts'
import type { IterationOrder, RunPorts } from './run-ports.ts'

export interface Call {
  readonly order: IterationOrder
  readonly parsing: ParserOptions
  /** When the iteration has to end. */
  readonly deadlineMs: number
  readonly listeners: Listeners
}

/**
 * One invocation of an agent: read to its end, stopped at its deadline or by a person, with people's messages
 * passed on.
 */
export async function callAgent(
  ports: Pick<RunPorts, 'startAgent' | 'clock'>,
  { order, parsing, deadlineMs, listeners }: Call,
  control: RunControl,
): Promise<Heard> {
  const session = await ports.startAgent(order)
  const over = new AbortController()
  let isLate = false
  const watch = ports.clock
    .sleepUntil(deadlineMs, AbortSignal.any([over.signal, control.stopping]))
    .then(async () => {
      if (over.signal.aborted) return
      isLate = !control.stopping.aborted
      await session.stop()
    })
  await using _ = control.deliverTo((text) => session.send(text))
  try {
    const heard = await followIteration(session, parsing, listeners)
    const wasCutOff = isLate && heard.end.kind === 'stopped'
    return wasCutOff ? { ...heard, end: { kind: 'timed-out' } } : heard
  } catch (error) {
    await session.stop()
    throw error
  } finally {
    over.abort()
    await watch
  }
}
