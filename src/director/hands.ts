import type { Case, CaseId } from '../cases/case.ts'
import type { TaskExecution } from '../cases/metadata.ts'
import type { Config } from '../config/schema.ts'
import type { DeliveryState } from '../delivery/delivery-state.ts'
import type { HealthFacts, Orphan } from '../health/health-facts.ts'
import type { Entry } from '../integration/entry.ts'
import type { Landing } from '../integration/land-candidates.ts'
import type { Publication } from '../integration/publish-target.ts'
import type { Following } from '../integration/remote/follow-remote.ts'
import type { Intake } from '../integration/take-in-commits.ts'
import type { Weather } from '../integration/weather.ts'
import type { SpecDocument } from '../project/read-spec.ts'
import type { TargetProbe } from '../project/repair-task.ts'
import type { RunControl } from '../runs/run-control.ts'
import type { RunResult } from '../runs/run-end.ts'
import type { Spent } from '../runs/task-progress.ts'
import type { Signal } from '../signals/finding.ts'
import type { RoleWith } from '../signals/role-traits.ts'
import type { AgentHome, HomeNeed } from './agents/agent-home.ts'
import type { QueueBoard } from './land/queue-board.ts'

/**
 * All side effects of the director: agents, git, checks, the disk. The director claims and commits around
 * each call; a hand changes no status. A call may be interrupted at any point and repeated.
 */
export interface Hands {
  /** A developer at work on a claimed task, until its run ends. */
  develop(order: DevelopOrder): Promise<DevelopResult>
  /** Any other agent of the delivery line, until it has given its signal. */
  perform(order: PerformOrder): Promise<PerformResult>
  /** AXIOM itself runs what the auditor ran, and the required checks. */
  confirm(order: ConfirmOrder): Promise<ConfirmResult>
  /** Lands one batch on the target of record. */
  land(order: LandOrder): Promise<LandResult>
  /** Runs the resolver (Rex) on one conflict. */
  resolve(order: ResolveOrder): Promise<ResolveResult>
  /** What a person needs to settle a conflict by hand; absent where there are no workspaces. */
  readonly byHand?: ConflictDesk
  /** The documents of directives; absent where there are none. */
  readonly specs?: SpecDesk
  /** Records target and cases for a rollback; absent where there is nothing to roll back to. */
  checkpoint?(reason: string): Promise<void>
  /** Takes the user's own commits into the target of record. */
  takeIn(order: TakeInOrder): Promise<TakeInResult>
  /** In remote mode: the remote's target, and the outcome of the branches offered there. */
  follow?(offered: readonly Entry[]): Promise<Following>
  /** Brings the target of record to the user's branch, as far as that loses nothing. */
  publish(): Promise<Publication>
  /** Takes the user's branch as it is, checked; what it does not contain is removed from the target. */
  adoptUser?(user: string): Promise<Intake>
  /** Recreates a deleted branch: the user's, or the remote's. */
  restore?(): Promise<void>
  /** Accepts a remote's rewritten target; the old target of record is kept under a name. */
  followRewritten?(commit: string): Promise<void>
  /** Forecasts conflicts: live work merged in pairs in memory; absent where nothing can be merged. */
  lookAtWeather?(): Promise<Weather>
  /** Shows other processes what is known of the queue and is not in any case. */
  showQueue?(board: QueueBoard): Promise<void>
  /** For agents without a sandbox: the parts of the user's repository that changed since the last check. */
  touchedParts?(): Promise<readonly string[]>
  /** The entries that git finds on the target, with the commit that brought each. */
  findLanded(entries: readonly Entry[]): Promise<ReadonlyMap<CaseId, string>>
  /** Whether the required checks pass on the target itself, before anything new lands on it. */
  probeTarget(): Promise<TargetProbe>
  /** The facts that the health check (Max) decides on. */
  measureHealth(): Promise<HealthFacts>
  /** Ends the processes that a dead orchestrator left, and returns their number. */
  sweep(orphan: Orphan): Promise<number>
  clean(order: CleanOrder): Promise<CleanResult>
  runHook(order: HookOrder): Promise<HookResult>
  /** Ends every running check at once: what waits for one fails as interrupted, and no result counts. */
  stopChecks?(): void
}

/** One agent on one piece of work. */
export interface AgentOrder {
  readonly agent: string
  /** The task after the claim. */
  readonly task: Case
  /** Unique among all agents at work; selects ports and database names. */
  readonly slot: number
  /** Carries messages, pauses and stops to the agent. */
  readonly control: RunControl
}

export interface DevelopOrder extends AgentOrder {
  readonly fence: number
}

export interface DevelopResult {
  readonly result: RunResult
  /** The digest of the proof and its evidence. */
  readonly evidence?: string
  readonly codeChanges?: TaskExecution['codeChanges']
  /** Where uncommitted work was saved. */
  readonly saved: readonly string[]
}

/** The roles that are chosen by delivery state; developers and resolvers have calls of their own. */
export type PerformingRole = RoleWith<'isSentByPlace'>

export interface PerformOrder extends AgentOrder {
  readonly role: PerformingRole
  /** The fence of its own lease; an expert has none. */
  readonly fence: number | null
  readonly delivery: DeliveryState
}

interface Cost {
  readonly spent: Spent
  readonly iterations: number
  readonly durationMs: number
}

export type PerformResult = Cost &
  (
    | {
        readonly kind: 'said'
        readonly signal: Signal
        /** The commit that the signal is about; for a remediator, the one it made. */
        readonly commit: string | null
        /**
         * The result of AXIOM's own run of the required checks; a health auditor's signal is compared with
         * it.
         */
        readonly checksGreen?: boolean
        /** What that run printed when it was red; becomes part of the occurrence. */
        readonly text?: string
      }
    /** Died, or never gave a signal that could be read, after all retries. */
    | { readonly kind: 'lost'; readonly reason: string }
    | { readonly kind: 'stopped' }
  )

export interface ConfirmOrder {
  readonly task: Case
  readonly delivery: DeliveryState
  readonly slot: number
}

export type ConfirmResult =
  | { readonly kind: 'confirmed'; readonly evidence: string }
  /** What failed, as text for the next auditor. */
  | { readonly kind: 'refuted'; readonly text: string }

export interface LandOrder {
  readonly entries: readonly Entry[]
}

export interface LandResult {
  readonly landings: ReadonlyMap<CaseId, Landing>
  readonly flaky: readonly { readonly commit: string; readonly evidence: string }[]
  /** Runs of the required checks. */
  readonly runs: number
}

export interface ResolveOrder extends AgentOrder {
  readonly entry: Entry
  readonly fence: number
  /** The commit of the target that it conflicts with. */
  readonly target: string
  /** The paths in conflict, as far as they are known. */
  readonly files: readonly string[]
}

export type ResolveResult = Cost &
  (
    | { readonly kind: 'resolved'; readonly commit: string }
    /** The resolver gives up; the workspace, in the middle of the merge, waits for a person. */
    | { readonly kind: 'pending'; readonly signal: Signal; readonly workspace: string }
    | { readonly kind: 'failed'; readonly reason: string; readonly workspace?: string }
    | { readonly kind: 'stopped' }
  )

export interface ConflictDesk {
  /**
   * Prepares the merge in a workspace that a person can open; returns its name, or undefined when that is
   * impossible.
   */
  layOut(order: ConflictPlace & { readonly agent: string }): Promise<string | undefined>
  /** Judges what a person committed there. */
  judge(order: ConflictPlace & { readonly workspace: string }): Promise<ConflictVerdict>
}

export interface SpecDesk {
  /** The current document of a directive; undefined when it has none. */
  read(directive: Case): Promise<SpecDocument | undefined>
  /** Writes `specs/progress.json`. */
  keepProgress(text: string): Promise<void>
}

export interface ConflictPlace {
  readonly task: Case
  readonly entry: Entry
  readonly target: string
}

export type ConflictVerdict =
  | { readonly kind: 'sound'; readonly commit: string }
  | { readonly kind: 'refused'; readonly faults: readonly string[] }

export interface TakeInOrder {
  readonly seenBefore: string | null
}

export interface TakeInResult {
  readonly intake: Intake
  /** The newest commit of the user's branch; null when there is none. */
  readonly user: string | null
}

export interface CleanOrder {
  readonly reason: 'landed' | 'disk' | 'retention'
  /** Tasks whose workspaces may be removed; their work is on the target. */
  readonly landed: readonly CaseId[]
  /**
   * Whether the task of a workspace was deleted. The store no longer lists it, so it is looked up by name.
   */
  isDeleted?(task: string): boolean
  /** Tasks that failed or timed out, and when. */
  readonly failed?: readonly { readonly task: CaseId; readonly endedAtMs: number }[]
  /** Agents and tasks at work: nothing of theirs is touched. */
  readonly atWork?: readonly string[]
  /** Bytes to free; everything that may be removed when absent. */
  readonly bytesWanted?: number
  /** Whether a person allowed removing old checkpoints and failed workspaces before their time. */
  readonly consent?: boolean
  /**
   * Called at the last moment, since a person may have resumed a task meanwhile. Without it no home is
   * removed.
   */
  needOf?(home: AgentHome): HomeNeed
}

export interface CleanResult {
  readonly removed: readonly string[]
  /** What should have been removed and could not, with the reasons: mostly unsaved work. */
  readonly kept: readonly { readonly name: string; readonly reasons: readonly string[] }[]
  readonly freedBytes: number
  /** What else could be removed with a person's consent; set when space is still short without it. */
  readonly byConsent: readonly string[]
}

export type HookEvent = keyof Config['hooks']

export interface HookOrder {
  readonly event: HookEvent
  /** Without the prefix: `TASK_ID` becomes `AXIOM_TASK_ID`. */
  readonly variables: Readonly<Record<string, string>>
}

export interface HookResult {
  readonly failed: readonly { readonly command: string; readonly reason: string }[]
}
