import type { Actor, CaseId } from '../../cases/case.ts'
import type { DeliveryEvent, Occurrence, Sender } from '../../delivery/occurrence.ts'
import type { Signal } from '../../signals/finding.ts'

/** What may be known of an event besides its sender. */
type Details = Partial<Pick<Occurrence, 'fence' | 'request' | 'commit' | 'text'>>

/** An event from the director. The id names the moment, so that a repeated event counts once. */
export function directorEvent(
  about: CaseId,
  signal: DeliveryEvent,
  id: string,
  details: Details = {},
): Occurrence {
  return wordOf('director', 'director', about, signal, id, details)
}

/** An event from a person, or from a rule that decides for one: `user`, or the name of the rule. */
export function personEvent(
  about: CaseId,
  signal: DeliveryEvent,
  { id, by, ...details }: { readonly id: string; readonly by: Actor } & Details,
): Occurrence {
  return wordOf('person', by, about, signal, id, details)
}

/** An event from an agent's signal, as the parser read it. */
export function agentEvent(
  sender: Sender,
  agent: Actor,
  said: Signal,
  id: string,
  details: Details = {},
): Occurrence {
  return {
    ...wordOf(sender, agent, said.task, said.name, id, details),
    payload: said.payload,
    said,
  }
}

function wordOf(
  sender: Sender,
  agent: Actor,
  task: string | null,
  signal: Occurrence['signal'],
  id: string,
  details: Details,
): Occurrence {
  return {
    id,
    signal,
    sender,
    agent,
    task,
    fence: null,
    request: null,
    commit: null,
    payload: null,
    said: null,
    text: null,
    ...details,
  }
}
