import type { Actor, CaseId, CaseType, SpecRef, Stage, Status } from './case.ts'
import type { Metadata } from './metadata.ts'

/**
 * What a new case is made of. In a batch, ids may be names given earlier in it: `$name`; the path of a spec file may
 * contain one: `specs/${name}.md`.
 */
export interface NewCase {
  readonly type: CaseType
  readonly content: string
  readonly parentId?: CaseId | null
  readonly dependsOn?: readonly CaseId[]
  readonly tags?: readonly string[]
  readonly metadata?: Metadata
  readonly specRef?: SpecRef
  /** A name for the rest of the batch. */
  readonly as?: string
}

/** Every command on cases. Plain data, because commands cross sockets and are written to logs. */
export type CaseCommand =
  | ({ readonly kind: 'create' } & NewCase)
  | {
      readonly kind: 'update'
      readonly id: CaseId
      readonly content?: string
      readonly tags?: readonly string[]
      /** Merged key by key into the metadata; null removes a key. */
      readonly metadata?: Metadata
      readonly specRef?: SpecRef | null
      readonly reason?: string
      readonly fence?: number
    }
  | {
      readonly kind: 'move'
      readonly id: CaseId
      readonly status: Status
      readonly reason: string
      readonly fence?: number
    }
  | { readonly kind: 'transition'; readonly id: CaseId; readonly type: CaseType; readonly reason: string }
  | {
      readonly kind: 'split'
      readonly id: CaseId
      readonly children: readonly NewCase[]
      readonly reason: string
    }
  | {
      readonly kind: 'claim'
      readonly id: CaseId
      readonly stage: Stage
      readonly holder: Actor
      readonly ttlMs: number
    }
  | {
      readonly kind: 'release'
      readonly id: CaseId
      readonly stage: Stage
      readonly fence?: number
      readonly reason?: string
    }
  | { readonly kind: 'complete'; readonly id: CaseId; readonly result?: string; readonly fence?: number }
  | { readonly kind: 'depend'; readonly id: CaseId; readonly on: CaseId }
  | { readonly kind: 'undepend'; readonly id: CaseId; readonly on: CaseId }
  | { readonly kind: 'delete'; readonly id: CaseId; readonly reason: string; readonly cascade?: boolean }
  /** Releases a task whose holder is gone: its lease expired, or the director saw the agent die. */
  | { readonly kind: 'recover'; readonly id: CaseId; readonly reason: string; readonly holderDead?: boolean }
  /** A rollback: any status the case once had. */
  | { readonly kind: 'restore'; readonly id: CaseId; readonly status: Status; readonly reason: string }
