import type { CaseId, Stage } from '../cases/case.ts'
import type { Occurrence } from '../delivery/occurrence.ts'
import type { Entry } from '../integration/entry.ts'
import type { PerformingRole } from './hands.ts'

/** A word that follows from the state alone. */
export interface Say {
  readonly kind: 'say'
  readonly task: CaseId
  readonly occurrence: Occurrence
}

/** A lease whose holder is gone; nothing else changes. */
export interface Release {
  readonly kind: 'release'
  readonly task: CaseId
  readonly stage: Stage
  readonly fence: number
}

/** A claim that somebody else made and let run out. */
export interface Recover {
  readonly kind: 'recover'
  readonly task: CaseId
}

/** A person's orders to the agents of a task. */
export interface FollowOrders {
  readonly kind: 'follow-orders'
  readonly task: CaseId
}

/** An agent that already has the task goes on with it. */
interface Held {
  readonly agent: string
  readonly fence: number
}

export interface Develop {
  readonly kind: 'develop'
  readonly task: CaseId
  /** In rework the same developer comes back under the same claim. */
  readonly held: Held | null
  /** Who a person chose to do it. */
  readonly agent: string | null
}

export interface Perform {
  readonly kind: 'perform'
  readonly task: CaseId
  readonly role: PerformingRole
  readonly stage: Stage | null
  readonly held: Held | null
}

/** Rex settles the conflict of a task that waits to land. */
export interface Resolve {
  readonly kind: 'resolve'
  readonly task: CaseId
  readonly entry: Entry
}

/** A conflict that is for a person: he is asked, or his answer is followed. */
export interface AskPerson {
  readonly kind: 'ask-person'
  readonly task: CaseId
  readonly entry: Entry
}

export interface Confirm {
  readonly kind: 'confirm'
  readonly task: CaseId
}

export interface Land {
  readonly kind: 'land'
  readonly entries: readonly Entry[]
}

/** Work for the whole project; `chores/table.ts` says which there is. */
export interface RunChore {
  readonly kind: 'chore'
  readonly name: string
}

export type TaskEffect = Say | Release | Recover | Develop | Perform | Resolve | AskPerson | Confirm
export type AgentEffect = Develop | Perform | Resolve
/** A case whose budget is pressed, spent or raised. */
export interface Park {
  readonly kind: 'park'
  readonly id: CaseId
}

/** A question about the whole project that is answered, or whose time is over. */
export interface Settle {
  readonly kind: 'settle'
  readonly id: CaseId
}

export type Effect = TaskEffect | FollowOrders | Park | Settle | Land | RunChore

/** Effects with the same key are carried out one at a time; everything about the fate of one task has one key. */
export function keyOf(effect: Effect): string {
  switch (effect.kind) {
    case 'say':
    case 'release':
    case 'recover':
    case 'develop':
    case 'perform':
    case 'resolve':
    case 'ask-person':
    case 'confirm':
      return effect.task
    case 'follow-orders':
      return `follow-orders/${effect.task}`
    case 'settle':
      return `settle/${effect.id}`
    case 'park':
      return `park/${effect.id}`
    case 'chore':
      return effect.name
    case 'land':
      return effect.kind
  }
}

export function isAgentEffect(effect: Effect): effect is AgentEffect {
  return effect.kind === 'develop' || effect.kind === 'perform' || effect.kind === 'resolve'
}
