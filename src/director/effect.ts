import type { CaseId, Stage } from '../cases/case.ts'
import type { Occurrence } from '../delivery/occurrence.ts'
import type { Entry } from '../integration/entry.ts'
import type { PerformingRole } from './hands.ts'

/** A delivery event that follows from the state alone. */
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

/** A claim that was made by hand and has expired. */
export interface Recover {
  readonly kind: 'recover'
  readonly task: CaseId
}

/** A person's orders to the agents of a task. */
export interface FollowOrders {
  readonly kind: 'follow-orders'
  readonly task: CaseId
}

/** An agent that already has the task continues it. */
interface Held {
  readonly agent: string
  readonly fence: number
}

export interface Develop {
  readonly kind: 'develop'
  readonly task: CaseId
  /** In rework the same developer continues under the same claim. */
  readonly held: Held | null
  /** The agent that a person chose. */
  readonly agent: string | null
}

export interface Perform {
  readonly kind: 'perform'
  readonly task: CaseId
  readonly role: PerformingRole
  readonly stage: Stage | null
  readonly held: Held | null
}

/** The resolver (Rex) settles the conflict of a task that waits to land. */
export interface Resolve {
  readonly kind: 'resolve'
  readonly task: CaseId
  readonly entry: Entry
}

/** A conflict that needs a person: the person is asked, or the answer is followed. */
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

/** Work for the whole project; `chores/table.ts` lists the chores. */
export interface RunChore {
  readonly kind: 'chore'
  readonly name: string
}

export type TaskEffect = Say | Release | Recover | Develop | Perform | Resolve | AskPerson | Confirm
export type AgentEffect = Develop | Perform | Resolve
/** A case whose budget is low, spent or raised. */
export interface Park {
  readonly kind: 'park'
  readonly id: CaseId
}

/** A project question that is answered, or whose time is over. */
export interface Settle {
  readonly kind: 'settle'
  readonly id: CaseId
}

export type Effect = TaskEffect | FollowOrders | Park | Settle | Land | RunChore

/** Effects with the same key run one at a time; all effects that decide about one task share a key. */
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
