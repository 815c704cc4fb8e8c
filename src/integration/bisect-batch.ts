import assert from 'node:assert/strict'
import type { QueuedTask } from './plan-batch.ts'

/** Entries to be checked together, on top of everything accepted so far. */
interface Group<E> {
  readonly entries: readonly E[]
  /** One entry that was red by itself: the same commit is checked once more, and a second red rejects it. */
  readonly isLastChance: boolean
  /** Accepting the whole previous group gives a tree that was already red. */
  readonly redAfterPrevious: boolean
}

/**
 * The search for the culprits of a red batch. Only a tree that was green is accepted, and only an entry that
 * was red twice, alone on top of the accepted ones, is rejected: a flaky check rejects no entry.
 */
export interface Bisection<E extends QueuedTask> {
  readonly accepted: readonly E[]
  readonly rejected: readonly E[]
  /** Not judged, because they depend on a rejected entry. */
  readonly withheld: readonly E[]
  readonly groups: readonly Group<E>[]
}

export function startBisection<E extends QueuedTask>(batch: readonly E[]): Bisection<E> {
  const groups = batch.length === 0 ? [] : [{ entries: batch, isLastChance: false, redAfterPrevious: false }]
  return { accepted: [], rejected: [], withheld: [], groups }
}

/** What to check next, on top of the accepted entries; undefined when every entry is judged. */
export function nextGroup<E extends QueuedTask>(
  state: Bisection<E>,
): Pick<Group<E>, 'entries' | 'isLastChance'> | undefined {
  return state.groups[0]
}

export function takeVerdict<E extends QueuedTask>(
  state: Bisection<E>,
  verdict: 'green' | 'red',
): Bisection<E> {
  const [group, ...rest] = state.groups
  assert(group !== undefined, 'a verdict on a bisection that is over')
  const [only] = group.entries
  if (verdict === 'red' && group.isLastChance && only) return reject({ ...state, groups: rest }, only)
  if (verdict === 'red') return condemn({ ...state, groups: rest }, group.entries)
  const accepted = [...state.accepted, ...group.entries]
  const [next, ...others] = rest
  if (!next?.redAfterPrevious) return { ...state, accepted, groups: rest }
  // The same commits in the same order were checked before: a second run would bring nothing new.
  return condemn({ ...state, accepted, groups: others }, next.entries)
}

/** Splits entries that are red together; one that is red by itself has its last chance. */
function condemn<E extends QueuedTask>(state: Bisection<E>, entries: readonly E[]): Bisection<E> {
  const rest = withoutForesight(state.groups)
  if (entries.length === 1) {
    return { ...state, groups: [{ entries, isLastChance: true, redAfterPrevious: false }, ...rest] }
  }
  const middle = Math.ceil(entries.length / 2)
  const halves = [
    { entries: entries.slice(0, middle), isLastChance: false, redAfterPrevious: false },
    { entries: entries.slice(middle), isLastChance: false, redAfterPrevious: true },
  ]
  return { ...state, groups: [...halves, ...rest] }
}

/** The groups after a red one were red only together with the culprits. */
function withoutForesight<E>(groups: readonly Group<E>[]): Group<E>[] {
  return groups.map((group) => ({ ...group, redAfterPrevious: false }))
}

function reject<E extends QueuedTask>(state: Bisection<E>, culprit: E): Bisection<E> {
  return withhold({ ...state, rejected: [...state.rejected, culprit] }, [culprit.task])
}

/** Removes the entries that depend, directly or not, on tasks that will not land. */
function withhold<E extends QueuedTask>(state: Bisection<E>, lost: readonly string[]): Bisection<E> {
  const missing = new Set(lost)
  const withheld: E[] = []
  const groups = withoutForesight(state.groups).map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => {
      if (!entry.dependsOn.some((task) => missing.has(task))) return true
      missing.add(entry.task)
      withheld.push(entry)
      return false
    }),
  }))
  return {
    ...state,
    withheld: [...state.withheld, ...withheld],
    groups: groups.filter(({ entries }) => entries.length > 0),
  }
}

/** Removes entries that were settled elsewhere, and those that depend on the lost ones among them. */
export function leaveOut<E extends QueuedTask>(
  state: Bisection<E>,
  leaving: readonly string[],
  lost: readonly string[] = leaving,
): Bisection<E> {
  const groups = withoutForesight(state.groups)
    .map((group) => ({ ...group, entries: group.entries.filter(({ task }) => !leaving.includes(task)) }))
    .filter(({ entries }) => entries.length > 0)
  return withhold({ ...state, groups }, lost)
}
