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
import type { Role } from '../signals/definition.ts'
import type { Signal } from '../signals/finding.ts'
import type { AgentHome, HomeNeed } from './agents/agent-home.ts'
import type { QueueBoard } from './land/queue-board.ts'

/**
 * Everything that the director does in the world: agents, git, checks, the disk. It claims and commits around each
 * call; a hand changes no status. Hands may be stopped at any point and asked for the same again.
 */
export interface Hands {
  /** A developer at work on a claimed task, until its run is over. */
  develop(order: DevelopOrder): Promise<DevelopResult>
  /** Any other agent of the delivery line, until it has said its word. */
  perform(order: PerformOrder): Promise<PerformResult>
  /** AXIOM itself runs what the auditor ran, and the required checks. */
  confirm(order: ConfirmOrder): Promise<ConfirmResult>
  /** One batch onto the target of record. */
  land(order: LandOrder): Promise<LandResult>
  /** Rex, on one conflict. */
  resolve(order: ResolveOrder): Promise<ResolveResult>
  /** What a person needs to settle a conflict by hand; absent where there are no workspaces. */
  readonly byHand?: ConflictDesk
  /** The documents of directives; absent where there are none. */
  readonly specs?: SpecDesk
  /** Marks target and cases, to be able to come back; absent where there is nothing to come back to. */
  checkpoint?(reason: string): Promise<void>
  /** The user's own commits onto the target of record. */
  takeIn(order: TakeInOrder): Promise<TakeInResult>
  /** Where others land: what the remote's target has, and what became of the branches offered there. */
  follow?(offered: readonly Entry[]): Promise<Following>
  /** The target of record onto the user's branch, as far as that loses nothing. */
  publish(): Promise<Publication>
  /** The user's branch as it is, checked; what is not in it is taken back from the target. */
  adoptUser?(user: string): Promise<Intake>
  /** Makes a branch again that was deleted: the user's, or the remote's. */
  restore?(): Promise<void>
  /** A remote's target that was rewritten counts from now on; what was on record is kept under a name. */
  followRewritten?(commit: string): Promise<void>
  /** How the pieces of live work would meet, merged in pairs in memory; absent where nothing can be merged. */
  lookAtWeather?(): Promise<Weather>
  /** Lets others see what is known of the queue and stands in no case. */
  showQueue?(board: QueueBoard): Promise<void>
  /** Where agents have no walls: what of the user's repository somebody tampered with since the last look. */
  touchedParts?(): Promise<readonly string[]>
  /** Which of the entries git knows on the target, with the commit that brought each. */
  findLanded(entries: readonly Entry[]): Promise<ReadonlyMap<CaseId, string>>
  /** Whether the required checks are green on the target itself, before anything new lands on it. */
  probeTarget(): Promise<TargetProbe>
  /** What Max looks at, as it is now. */
  measureHealth(): Promise<HealthFacts>
  /** Ends what a dead orchestrator left, and says how many processes that were. */
  sweep(orphan: Orphan): Promise<number>
  clean(order: CleanOrder): Promise<CleanResult>
  runHook(order: HookOrder): Promise<HookResult>
  /** Ends every check that runs, now: what waits for one fails as interrupted, and nothing of it counts. */
  stopChecks?(): void
}

/** One agent at one piece of work. */
export interface AgentOrder {
  readonly agent: string
  /** As it stands after the claim. */
  readonly task: Case
  /** Among all agents that work at once; gives ports and database names. */
  readonly slot: number
  /** Message, pause and stop reach the agent through this. */
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

/** The roles that are sent by their place in delivery; developers and resolvers have hands of their own. */
export type PerformingRole = Extract<
  Role,
  'critic' | 'auditor' | 'analyst' | 'expert' | 'remediator' | 'health-auditor'
>

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
        /** The commit that the word is about; of a remediator, the one it made. */
        readonly commit: string | null
        /** What AXIOM's own run of the required checks gave; a health auditor's word is held against it. */
        readonly checksGreen?: boolean
        /** What that run showed where it was red; belongs into the occurrence. */
        readonly text?: string
      }
    /** Died, or said nothing that could be understood, however often it was asked. */
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
  /** What failed, in words for the next auditor. */
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
  /** The paths in conflict, as far as they are remembered. */
  readonly files: readonly string[]
}

export type ResolveResult = Cost &
  (
    | { readonly kind: 'resolved'; readonly commit: string }
    /** He hands over; the workspace, in the middle of the merge, waits for a person. */
    | { readonly kind: 'pending'; readonly signal: Signal; readonly workspace: string }
    | { readonly kind: 'failed'; readonly reason: string; readonly workspace?: string }
    | { readonly kind: 'stopped' }
  )

export interface ConflictDesk {
  /** Lays the merge out in a workspace that a person can open; its name, or nothing when that is impossible. */
  layOut(order: ConflictPlace & { readonly agent: string }): Promise<string | undefined>
  /** Looks at what a person committed there. */
  judge(order: ConflictPlace & { readonly workspace: string }): Promise<ConflictVerdict>
}

export interface SpecDesk {
  /** The document of a directive, as it is now; undefined when it has none. */
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
  /** The newest commit of the user's branch; null when he has none. */
  readonly user: string | null
}

export interface CleanOrder {
  readonly reason: 'landed' | 'disk' | 'retention'
  /** Tasks whose workspaces may go; their work is on the target. */
  readonly landed: readonly CaseId[]
  /** Whether the task of a workspace was deleted. The store no longer lists it, so it has to be asked for by name. */
  isDeleted?(task: string): boolean
  /** Tasks that failed or timed out, and when. */
  readonly failed?: readonly { readonly task: CaseId; readonly endedAtMs: number }[]
  /** Agents and tasks at work: nothing of theirs is touched. */
  readonly atWork?: readonly string[]
  /** Bytes to become free; everything that may go when absent. */
  readonly bytesWanted?: number
  /** Whether a person agreed that old checkpoints and failed workspaces go before their time. */
  readonly consent?: boolean
  /** Asked at the last moment, for a person may have taken a task up again meanwhile. Without it no home goes. */
  needOf?(home: AgentHome): HomeNeed
}

export interface CleanResult {
  readonly removed: readonly string[]
  /** What was to go and could not, with the reasons: unsaved work above all. */
  readonly kept: readonly { readonly name: string; readonly reasons: readonly string[] }[]
  readonly freedBytes: number
  /** What could go besides, if a person agreed; told where it is still short without that. */
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
