import assert from 'node:assert/strict'
import { type Bisection, leaveOut, nextGroup, startBisection, takeVerdict } from './bisect-batch.ts'
import {
  buildCandidate,
  buildStack,
  type Candidate,
  type RefusalReason,
  type Stack,
} from './build-candidate.ts'
import { type ConflictClass, classifyConflict, complexReason } from './classify-conflict.ts'
import type { Entry } from './entry.ts'
import { findLanded } from './find-landed.ts'
import { hasTurn } from './integrator-turn.ts'
import {
  type CheckCount,
  type LandingGround,
  moveTarget,
  readTarget,
  type Verdict,
} from './landing-ground.ts'
import type { Conflict } from './merge-trees.ts'
import { readContents } from './resolve-simple.ts'

export type Landing =
  /** `commit` landed the entry; the branch moved to a commit at or after it that was green. */
  | {
      readonly kind: 'landed'
      readonly commit: string
      readonly alreadyThere: boolean
      /**
       * The proof of the commit that the branch moved to; undefined when the entry was on the target before.
       */
      readonly evidence?: string
    }
  /** The target already has every change of the entry. */
  | { readonly kind: 'empty'; readonly target: string }
  | {
      readonly kind: 'conflict'
      readonly target: string
      readonly conflict: Conflict
      /** Rules settle SIMPLE conflicts; this one has no rule, or its rule did not pass the checks. */
      readonly level: Exclude<ConflictClass, 'SIMPLE'>
    }
  | {
      readonly kind: 'refused'
      readonly reason: RefusalReason | 'fence-lost'
      readonly paths: readonly string[]
    }
  /** Its checks are red on top of `target`. */
  | {
      readonly kind: 'rejected'
      readonly target: string
      readonly commit: string
      readonly evidence: string
      readonly feedback: string
    }
  /** Not judged: something it depends on did not land. */
  | { readonly kind: 'withheld' }
  /**
   * Not judged: it conflicts with another entry of the batch, or the target kept moving. It stays in the
   * queue.
   */
  | {
      readonly kind: 'deferred'
      readonly reason: 'batch-mate' | 'target-moved' | 'turn-lost' | 'unreachable'
      readonly said?: string
    }
  /** Checked on `target` and offered on the remote as `commit`; others land it. */
  | {
      readonly kind: 'pushed'
      readonly branch: string
      readonly commit: string
      readonly target: string
      readonly evidence: string
    }
  /** The remote refuses or changed the branch, and a person has to decide how to continue. */
  | {
      readonly kind: 'stuck'
      readonly reason: 'push-declined' | 'branch-taken' | 'closed'
      readonly branch: string
      readonly said: string
    }

export interface LandingReport {
  readonly landings: ReadonlyMap<string, Landing>
  /** Commits that were red and then green without any change. */
  readonly flaky: readonly { readonly commit: string; readonly evidence: string }[]
  readonly runs: number
}

/** How often a batch is rebuilt because the target was moved from elsewhere. */
const REBUILDS_MAX = 5
/**
 * Checks entries together and moves the target to what was green, by compare-and-swap. All its state is in
 * git, so it can be stopped anywhere and called again with the same entries.
 */
export async function landBatch(ground: LandingGround, batch: readonly Entry[]): Promise<LandingReport> {
  const round: Round = { landings: new Map(), flaky: [], runs: 0 }
  for (let build = 0; build < REBUILDS_MAX; build += 1) {
    const open = batch.filter(({ task }) => !round.landings.has(task))
    if ((await judgeBatch(ground, open, round)) === 'settled') return round
    if (ground.turn && !(await hasTurn(ground.git, ground.repository, ground.turn))) {
      return deferOpen(round, batch, 'turn-lost')
    }
  }
  return deferOpen(round, batch, 'target-moved')
}

function deferOpen(round: Round, batch: readonly Entry[], reason: 'target-moved' | 'turn-lost'): Round {
  for (const { task } of batch) {
    if (!round.landings.has(task)) round.landings.set(task, { kind: 'deferred', reason })
  }
  return round
}

interface Round extends CheckCount {
  readonly landings: Map<string, Landing>
}

async function judgeBatch(
  ground: LandingGround,
  open: readonly Entry[],
  round: Round,
): Promise<'settled' | 'target-moved'> {
  let target = await readTarget(ground)
  const build = remember(ground)
  const red = new Map<string, Verdict>()
  let state = await startOpen(ground, target, open, round)
  for (let group = nextGroup(state); group !== undefined; group = nextGroup(state)) {
    const stack = await buildStack(build, target, group.entries)
    if (stack.aside.length > 0) {
      state = await setAside(ground, state, stack, target, round)
      continue
    }
    const tip = stack.candidates.at(-1)?.commit ?? target
    const verdict = await ground.verify(tip, group.entries)
    round.runs += 1
    if (verdict.kind === 'red') red.set(tip, verdict)
    else {
      if (group.isLastChance) round.flaky.push({ commit: tip, evidence: verdict.evidence })
      const moved = await moveTarget(ground, target, tip, group.entries)
      if (moved === 'changed-meanwhile') return 'target-moved'
      for (const { entry, commit } of stack.candidates) {
        const { evidence } = verdict
        round.landings.set(entry.task, { kind: 'landed', commit, alreadyThere: false, evidence })
      }
      target = tip
    }
    const before = state
    state = takeVerdict(state, verdict.kind)
    for (const entry of state.rejected.slice(before.rejected.length)) {
      round.landings.set(entry.task, await rejection(build, target, entry, red))
    }
  }
  for (const { task } of state.withheld) round.landings.set(task, { kind: 'withheld' })
  return 'settled'
}

/**
 * When checks fail on an entry whose conflict a rule settled, the rule is at fault: the resolver gets the
 * conflict.
 */
async function rejection(
  build: (base: string, entry: Entry) => Promise<Candidate>,
  target: string,
  entry: Entry,
  red: ReadonlyMap<string, Verdict>,
): Promise<Landing> {
  const judged = await build(target, entry)
  assert(judged.kind === 'clean', `${entry.task} was rejected without a candidate`)
  const { commit, settled } = judged
  if (settled) return { kind: 'conflict', target, conflict: settled.conflict, level: 'MEDIUM' }
  const { evidence = '', feedback = '' } = red.get(commit) ?? {}
  return { kind: 'rejected', target, commit, evidence, feedback }
}

/** The same entry on the same base is the same commit for as long as a batch is judged. */
function remember(ground: LandingGround): (base: string, entry: Entry) => Promise<Candidate> {
  const built = new Map<string, Candidate>()
  return async (base, entry) => {
    const key = `${base} ${entry.task}`
    const candidate = built.get(key) ?? (await buildCandidate(ground, base, entry))
    built.set(key, candidate)
    return candidate
  }
}

/** Starts the search over the entries that are not yet on the target and have a valid claim. */
async function startOpen(
  ground: LandingGround,
  target: string,
  open: readonly Entry[],
  round: Round,
): Promise<Bisection<Entry>> {
  const landed = await findLanded(ground.git, ground.repository, target, open)
  const lost: string[] = []
  for (const entry of open) {
    const commit = landed.get(entry.task)
    if (commit !== undefined) round.landings.set(entry.task, { kind: 'landed', commit, alreadyThere: true })
    else if (!(await ground.holdsFence(entry))) {
      round.landings.set(entry.task, { kind: 'refused', reason: 'fence-lost', paths: [] })
      lost.push(entry.task)
    }
  }
  return leaveOut(startBisection(open), [...landed.keys(), ...lost], lost)
}

/** Only entries that were tried on the target itself are judged; the others conflicted among themselves. */
async function setAside(
  ground: LandingGround,
  state: Bisection<Entry>,
  stack: Stack,
  target: string,
  round: Round,
): Promise<Bisection<Entry>> {
  for (const { entry, base, outcome } of stack.aside) {
    round.landings.set(entry.task, await landingOf(ground, outcome, base === target, target))
  }
  const leaving = stack.aside.map(({ entry }) => entry.task)
  const lost = leaving.filter((task) => round.landings.get(task)?.kind !== 'empty')
  return leaveOut(state, leaving, lost)
}

async function landingOf(
  ground: LandingGround,
  outcome: Stack['aside'][number]['outcome'],
  onTarget: boolean,
  target: string,
): Promise<Landing> {
  if (outcome.kind !== 'refused' && !onTarget) return { kind: 'deferred', reason: 'batch-mate' }
  return judgeOutcome(ground, outcome, target)
}

/** The landing of an entry that gave no commit on the target itself. */
export async function judgeOutcome(
  ground: LandingGround,
  outcome: Exclude<Candidate, { kind: 'clean' }>,
  target: string,
): Promise<Landing> {
  if (outcome.kind === 'refused') return outcome
  if (outcome.kind === 'empty') return { kind: 'empty', target }
  const { conflict } = outcome
  // Non-text entries are not read: the object of a submodule is in another repository.
  const isComplex =
    complexReason(conflict) !== undefined ||
    classifyConflict(conflict, await readContents(ground, conflict)) === 'COMPLEX'
  return { kind: 'conflict', target, conflict, level: isComplex ? 'COMPLEX' : 'MEDIUM' }
}
