import type { Actor, CaseId } from '../../cases/case.ts'
import type { DeliveryEvent, Occurrence, Sender } from '../../delivery/occurrence.ts'
import type { Signal } from '../../signals/finding.ts'

/** What may be known of a word besides who says it. */
type Details = Partial<Pick<Occurrence, 'fence' | 'request' | 'commit' | 'text'>>

/** A word of the director. The id names the moment, so that the same word said twice counts once. */
export function directorEvent(
  about: CaseId,
  signal: DeliveryEvent,
  id: string,
  details: Details = {},
): Occurrence {
  return wordOf('director', 'director', about, signal, id, details)
}

/** A word of a person, or of one who decides for him: `user`, or the name of a rule. */
export function personEvent(
  about: CaseId,
  signal: DeliveryEvent,
  { id, by, ...details }: { readonly id: string; readonly by: Actor } & Details,
): Occurrence {
  return wordOf('person', by, about, signal, id, details)
}

/** A word of an agent, as the parser understood it. */
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
