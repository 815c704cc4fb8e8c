import type { CaseId } from '../cases/case.ts'
import { WORK } from '../delivery/delivery-table.ts'
import { statesWith } from '../delivery/delivery-traits.ts'
import { NO_HEALTH } from '../health/decide-health.ts'
import { CLEAR } from '../integration/weather.ts'
import { Failure } from '../platform/failure.ts'
import type { Project } from '../project/document.ts'
import { RunControl } from '../runs/run-control.ts'
import { isOver } from './agents/need-of-home.ts'
import { standingOf } from './budgets/choose-parks.ts'
import { carryOut } from './carry-out.ts'
import { NEVER_AGAIN_MS } from './chores/chore.ts'
import { CHORES } from './chores/table.ts'
import { type ChoreName, type Desk, type Means, runHook } from './context.ts'
import { decide, nextDeadline, type Start } from './decide.ts'
import { priorityOf } from './develop/score-task.ts'
import { isAgentEffect } from './effect.ts'
import { type FollowedStore, followStore } from './follow-store.ts'
import type { HookOrder } from './hands.ts'
import { hooksOfCase, hooksOfProject } from './hooks/hooks-of-change.ts'
import { isMergeAwaited } from './land/choose-landings.ts'
import {
  type AtWork,
  type ChoreMemory,
  isHalted,
  isNight,
  leaseName,
  type Rules,
  type Snapshot,
} from './snapshot.ts'
import { WakeSignal } from './wake-signal.ts'

export interface DirectorOptions {
  readonly means: Means
  readonly rules: Rules
  /** Whether it keeps running when there is nothing left to do, for a watching person. */
  readonly stays?: boolean
  /** A missed change is noticed after this time at the latest. */
  readonly backstopMs?: number
  /** Reports how long each decision took, for measurements. */
  readonly onTick?: (ms: number) => void
}

const BACKSTOP_MS = 1_000
const QUICK_MS = 10
const QUICK_IN_ROW_MAX = 20
const QUICK_REST_MS = 5_000

/** Why a director stopped. */
export type Ending = 'nothing-left' | 'left' | 'stopped'

interface Working extends AtWork {
  readonly control: RunControl | undefined
}

/** The director (Dex): takes a snapshot, decides what to do, and has it done. Nothing else moves work. */
export class Director {
  readonly #options: DirectorOptions
  readonly #wakeSignal = new WakeSignal()
  readonly #atWork = new Map<string, Working>()
  readonly #resting = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  /** How often in a row the effect with this key ended at once. */
  readonly #quick = new Map<string, number>()
  readonly #inherited = new Set<string>()
  /** Tasks whose agent a person has paused. */
  readonly #held = new Set<CaseId>()
  #memory: ChoreMemory
  #leaving: Snapshot['leaving'] = 'no'
  #followed: FollowedStore | undefined
  #trouble: unknown

  constructor(options: DirectorOptions) {
    this.#options = options
    const nowMs = options.means.clock.now()
    this.#memory = {
      ranAtMs: {},
      wanted: new Set(CHORES.filter(({ isWantedAtStart }) => isWantedAtStart).map(({ name }) => name)),
      remoteTarget: null,
      weather: CLEAR,
      // The first health check comes a minute after the start, with the same interval as the later ones.
      health: { ...NO_HEALTH, checkedAt: new Date(nowMs).toISOString() },
      toldVersion: -1,
    }
  }

  /** Runs until nothing is left to do, or until it is asked to leave. */
  async run(): Promise<Ending> {
    const { means, backstopMs = BACKSTOP_MS } = this.#options
    await using followed = await followStore(means.store, {
      onChange: () => this.#wakeSignal.raise(),
      onCase: (before, after) => {
        if (!isOver(before) && isOver(after)) this.#want('clean-workspaces')
        this.#hook(hooksOfCase(before, after))
      },
      onProject: (before, after) => this.#hook(hooksOfProject(before, after)),
    })
    this.#followed = followed
    this.#noteInherited(followed)
    const desk = this.#deskFor(followed)
    try {
      for (;;) {
        // After a bug nothing more is started.
        if (this.#trouble !== undefined) throw this.#trouble
        this.#tick(followed, desk)
        if (this.#isOver(followed)) break
        const snapshot = this.#snapshot(followed)
        await this.#wakeSignal.wait(means.clock, nextDeadline(snapshot, backstopMs))
      }
    } finally {
      await this.#dismissAll()
    }
    return this.#leaving === 'no' ? 'nothing-left' : this.#leaving === 'gently' ? 'left' : 'stopped'
  }

  /** `gently`: the running iterations are the last. `now`: agents are stopped at once. */
  leave(how: 'gently' | 'now'): void {
    this.#leaving = how
    for (const { control } of this.#atWork.values()) {
      if (how === 'now') control?.stop()
      else control?.finish()
    }
    if (how === 'now') this.#options.means.hands.stopChecks?.()
    this.#wakeSignal.raise()
  }

  /** The current priority of a task among all others. */
  priorityOf(id: CaseId): number {
    const snapshot = this.#followed && this.#snapshot(this.#followed)
    const row = snapshot?.view.row(id)
    return snapshot && row ? priorityOf(snapshot, row.task) : 0
  }

  #hook(orders: readonly HookOrder[]): void {
    for (const order of orders) runHook(this.#options.means, order)
  }

  #want(...chores: readonly ChoreName[]): void {
    this.#memory = { ...this.#memory, wanted: new Set([...this.#memory.wanted, ...chores]) }
  }

  /** A chore counts as done from its start: a request while it runs makes it due again. */
  #noteRun(chore: string, atMs: number): void {
    const { ranAtMs, wanted } = this.#memory
    this.#memory = {
      ...this.#memory,
      ranAtMs: { ...ranAtMs, [chore]: atMs },
      wanted: new Set([...wanted].filter((name) => name !== chore)),
    }
  }

  #tick(followed: FollowedStore, desk: Desk): void {
    const began = performance.now()
    this.#mindPause(followed.project)
    this.#mindBudgets(followed)
    this.#wakeRested()
    for (const start of decide(this.#snapshot(followed))) this.#begin(desk, start)
    this.#options.onTick?.(performance.now() - began)
  }

  #snapshot({ view, project }: FollowedStore): Snapshot {
    return {
      view,
      project,
      rules: this.#options.rules,
      memory: this.#memory,
      atWork: this.#atWork,
      inherited: this.#inherited,
      resting: this.#resting,
      nowMs: this.#options.means.clock.now(),
      leaving: this.#leaving,
    }
  }

  /** A person's pause holds agents at the end of their iteration, and a resume releases them. */
  #mindPause(project: Project): void {
    const isForAll = isHalted({ project })
    for (const [key, { control }] of this.#atWork) {
      if (isForAll || this.#held.has(key)) control?.pause()
      else control?.resume()
    }
  }

  /** An agent whose budget is spent ends after its current turn. */
  #mindBudgets(followed: FollowedStore): void {
    const snapshot = this.#snapshot(followed)
    for (const [key, { control }] of this.#atWork) {
      if (control && standingOf(snapshot, key).kind === 'hard') control.finish()
    }
  }

  #wakeRested(): void {
    const nowMs = this.#options.means.clock.now()
    for (const [key, untilMs] of this.#resting) if (untilMs <= nowMs) this.#resting.delete(key)
  }

  #begin(desk: Desk, { key, effect, slot }: Start): void {
    const control = isAgentEffect(effect) ? new RunControl() : undefined
    const startedAtMs = desk.means.clock.now()
    this.#atWork.set(key, { effect, slot, startedAtMs, control })
    if (effect.kind === 'chore') this.#noteRun(effect.name, startedAtMs)
    carryOut(desk, effect, slot, control).then(
      () => this.#end(key),
      (error: unknown) => this.#fail(key, error),
    )
  }

  #end(key: string): void {
    const work = this.#atWork.get(key)
    const startedAtMs = work?.startedAtMs ?? 0
    if (work?.control) this.#want('guard-repository')
    // Nothing of the task could be removed while its agent was at work.
    if (work?.control && isOver(this.#followed?.view.get(key))) this.#want('clean-workspaces')
    this.#atWork.delete(key)
    this.#failures.delete(key)
    this.#slowDown(key, startedAtMs)
    this.#wakeSignal.raise()
  }

  /** An effect that repeatedly ends as soon as it starts changes nothing, and must not keep the loop busy. */
  #slowDown(key: string, startedAtMs: number): void {
    const nowMs = this.#options.means.clock.now()
    const quick = nowMs - startedAtMs < QUICK_MS ? (this.#quick.get(key) ?? 0) + 1 : 0
    if (quick === 0) this.#quick.delete(key)
    else this.#quick.set(key, quick)
    if (quick >= QUICK_IN_ROW_MAX) this.#resting.set(key, nowMs + QUICK_REST_MS)
  }

  /** A `Failure` is retried with growing delays; any other error is a bug and ends the director. */
  #fail(key: string, error: unknown): void {
    this.#atWork.delete(key)
    const { means } = this.#options
    if (error instanceof Failure) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      const restMs = restAfter(failures)
      if (restMs === undefined) this.#trouble ??= error
      else this.#resting.set(key, means.clock.now() + restMs)
      if (error.code !== 'INTERRUPTED')
        means.notify({
          code: error.code,
          severity: 'high',
          message: `${key}: ${error.message} ${error.hint}`.trim(),
        })
    } else this.#trouble ??= error
    this.#wakeSignal.raise()
  }

  #deskFor(followed: FollowedStore): Desk {
    const { means } = this.#options
    return {
      means: { ...means, store: followed.store },
      snapshot: () => this.#snapshot(followed),
      controlOf: (task) => this.#atWork.get(task)?.control,
      hold: (task, isHeld) => {
        if (isHeld) this.#held.add(task)
        else this.#held.delete(task)
        this.#wakeSignal.raise()
      },
      remember: (memory) => {
        this.#memory = { ...this.#memory, ...memory }
      },
      want: (...chores) => this.#want(...chores),
      retire: (chore) => this.#noteRun(chore, NEVER_AGAIN_MS),
      rest: (key, ms) => {
        this.#resting.set(key, means.clock.now() + ms)
      },
    }
  }

  /** Agents that worked when the last director ended are dead; a task that only waited still waits. */
  #noteInherited({ view }: FollowedStore): void {
    for (const { task, delivery } of view.unsettled()) {
      const stage = WORK[delivery.state]?.stage ?? (delivery.state === 'integrating' ? 'resolve' : undefined)
      const lease = stage && task.leases?.[stage]
      if (stage && lease) this.#inherited.add(leaseName(task.id, stage, lease.fence))
    }
  }

  #isOver(followed: FollowedStore): boolean {
    if (this.#atWork.size > 0) return false
    if (this.#leaving !== 'no') return true
    if (this.#options.stays || this.#resting.size > 0) return false
    const { view, project } = followed
    if (project.pause?.cause === 'person') return false
    // Disk space, memory and quiet hours recover by themselves, but a non-interactive run does not wait for
    // them.
    const comesBack = project.pause?.cause === 'health' || this.#isWaitingForMorning(followed)
    if (comesBack && !this.#options.rules.nonInteractive) return false
    if (isMergeAwaited(this.#snapshot(followed))) return false
    return statesWith('keepsClaim').every((state) => view.countIn(state) === 0)
  }

  /** Whether there is work that only waits for the end of the quiet hours. */
  #isWaitingForMorning(followed: FollowedStore): boolean {
    const snapshot = this.#snapshot(followed)
    const [first] = snapshot.view.ready()
    return isNight(snapshot) && first !== undefined && snapshot.project.mode === 'autopilot'
  }

  async #dismissAll(): Promise<void> {
    for (const { control } of this.#atWork.values()) control?.stop()
    while (this.#atWork.size > 0)
      await this.#wakeSignal.wait(this.#options.means.clock, Number.POSITIVE_INFINITY)
  }
}

const REST_FIRST_MS = 1_000
const REST_MAX_MS = 60_000
/** A failure that repeats this often will not recover by itself. */
const FAILURES_MAX = 8

/** How long to wait after so many failures in a row; undefined when another try is pointless. */
function restAfter(failures: number): number | undefined {
  if (failures > FAILURES_MAX) return undefined
  return Math.min(REST_MAX_MS, REST_FIRST_MS * 2 ** (failures - 1))
}
