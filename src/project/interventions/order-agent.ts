import type { Actor } from '../../cases/case.ts'
import type { Store } from '../../store/store.ts'
import { giveOrder, makeOrder, type Ordered, WORDS_CHARACTERS_MAX } from './give-order.ts'
import { findLiveAgent } from './live-agents.ts'
import { isRefused, type Refused, refuse } from './outcome.ts'

/**
 * A message to an agent at work: delivered at once if its driver supports that, otherwise in its next prompt.
 */
export async function tellAgent(
  store: Store,
  by: Actor,
  agent: string,
  text: string,
): Promise<Ordered | Refused> {
  const words = text.trim()
  if (words === '')
    return refuse('MissingRequired', 'there is nothing to tell', 'say it: axiom tell AGENT "TEXT"')
  if (words.length > WORDS_CHARACTERS_MAX)
    return refuse(
      'InvalidValue',
      `${words.length} characters are too many for a message`,
      `at most ${WORDS_CHARACTERS_MAX}; write a file and name it`,
    )
  return order(store, by, agent, 'tell', words)
}

/** Ends the agent now; its changes are kept, and its task waits for a person to resume it. */
export function stopAgent(store: Store, by: Actor, agent: string): Promise<Ordered | Refused> {
  return order(store, by, agent, 'stop')
}

/** Pauses the agent at the end of its iteration. */
export function pauseAgent(store: Store, by: Actor, agent: string): Promise<Ordered | Refused> {
  return order(store, by, agent, 'pause')
}

export function resumeAgent(store: Store, by: Actor, agent: string): Promise<Ordered | Refused> {
  return order(store, by, agent, 'resume')
}

async function order(
  store: Store,
  by: Actor,
  agent: string,
  kind: 'tell' | 'stop' | 'pause' | 'resume',
  text?: string,
): Promise<Ordered | Refused> {
  const live = await findLiveAgent(store, agent)
  if (isRefused(live)) return live
  return giveOrder(store, live.task, await makeOrder(store, by, { kind, agent }, text))
}
