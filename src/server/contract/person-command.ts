import type { CaseId, CaseType } from '../../cases/case.ts'

/**
 * Every command of the user. Each is also a terminal command (`command-line.ts` says which), and both go
 * through the same code.
 */
export type PersonCommand = Steering | Deciding | ({ readonly kind: 'comment' } & OnLines) | CaseChange

/** Commands to the project and to running agents. */
export type Steering =
  /** Without an agent, for the whole project. Takes effect at the end of the running iteration. */
  | { readonly kind: 'pause'; readonly agent?: string; readonly reason?: string }
  | { readonly kind: 'resume'; readonly agent?: string }
  | {
      readonly kind: 'mode'
      readonly mode: 'semi-auto' | 'autopilot'
      /** When this autopilot sprint ends: `no-ready`, `count:5`, `duration:2h`, `time:18:00`. */
      readonly until?: string
      /** Only tasks with one of these tags are started. */
      readonly tags?: readonly string[]
    }
  | { readonly kind: 'assign'; readonly task: CaseId; readonly agent?: string }
  | { readonly kind: 'stop'; readonly agent: string }
  | { readonly kind: 'tell'; readonly agent: string; readonly text: string }
  | { readonly kind: 'redirect'; readonly agent: string; readonly task: CaseId }

/** Commands that settle an entry of the inbox, or undo the end of a task. */
export type Deciding =
  /**
   * Answers a question, given by its own id or by that of the waiting task; `stands` keeps the answer for the
   * same question in future.
   */
  | { readonly kind: 'answer'; readonly case: CaseId; readonly text: string; readonly stands?: boolean }
  | ({ readonly kind: 'review'; readonly task: CaseId } & Review)
  | { readonly kind: 'retry'; readonly task: CaseId; readonly guidance?: string }
  | { readonly kind: 'override'; readonly case: CaseId; readonly reason?: string }
  | { readonly kind: 'halt'; readonly task: CaseId }

export type Review =
  | { readonly decision: 'approve'; readonly note?: string }
  | {
      readonly decision: 'changes'
      /** May be empty when there are issues or comments. */
      readonly note: string
      /** What is wrong, in one word each. */
      readonly issues?: readonly QuickIssue[]
      readonly comments?: readonly LineComment[]
      /** Where the next attempt begins: with this work, from the target, or from the last checkpoint. */
      readonly start?: 'keep' | 'fresh' | 'checkpoint'
    }

export type QuickIssue =
  | 'bug'
  | 'tests'
  | 'errors'
  | 'naming'
  | 'duplication'
  | 'scope'
  | 'security'
  | 'performance'
  | 'documentation'
  | 'style'

/**
 * Comments on lines of a diff: sent to the running agent, or returned with the task when it is under review.
 */
interface OnLines {
  readonly task: CaseId
  readonly comments: readonly LineComment[]
}

export interface LineComment {
  readonly commit: string
  readonly file: string
  readonly line: number
  readonly side: 'old' | 'new'
  readonly text: string
}

export type CaseChange =
  | {
      readonly kind: 'create'
      readonly type: CaseType
      readonly content: string
      readonly parentId?: CaseId
      readonly criteria?: readonly string[]
      readonly dependsOn?: readonly CaseId[]
      readonly tags?: readonly string[]
    }
  | {
      readonly kind: 'edit'
      readonly case: CaseId
      readonly content?: string
      readonly criteria?: readonly string[]
      readonly tags?: readonly string[]
    }
  | { readonly kind: 'depend'; readonly case: CaseId; readonly on: CaseId }
  | { readonly kind: 'undepend'; readonly case: CaseId; readonly on: CaseId }
  | { readonly kind: 'complete'; readonly case: CaseId }
  | { readonly kind: 'block'; readonly case: CaseId; readonly reason: string }
  /** Ends a manual block. A task is freed by `retry`, which knows what else may hold it. */
  | { readonly kind: 'unblock'; readonly case: CaseId; readonly reason?: string }
  | { readonly kind: 'defer'; readonly case: CaseId; readonly reason: string }
  | { readonly kind: 'transition'; readonly case: CaseId; readonly type: CaseType; readonly reason: string }
  | { readonly kind: 'delete'; readonly case: CaseId; readonly reason: string; readonly cascade?: boolean }

/** The body of `POST /api/commands`. A key is carried out once, even if it is sent several times. */
export interface CommandRequest {
  readonly key: string
  readonly command: PersonCommand
}
