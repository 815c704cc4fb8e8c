import { type Case, dependenciesOf, isDone } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import type { DeliveryState } from '../../delivery/delivery-state.ts'
import type { Entry } from '../../integration/entry.ts'
import { type ConflictRecord, type LandingRecord, readLanding } from '../../integration/landing-record.ts'
import { firstWindow, orderEntries } from '../../integration/plan-batch.ts'
import { chooseBatch, orderByWeather } from '../../integration/weather.ts'
import type { TaskRow } from '../case-view.ts'
import type { Land, Resolve } from '../effect.ts'
import { isFree, isHalted, type Snapshot } from '../snapshot.ts'
import { isLookAwaited } from './forecast-due.ts'
import { entryFence, sinceOf, sourceOf } from './queued-work.ts'

const LANDED: ReadonlySet<string> = new Set()
const DESCRIPTION_CHARACTERS_MAX = 200
/** After this wait a conflict forecast no longer delays an entry. */
const WAIT_FOR_WEATHER_MAX_MS = 10 * 60_000

/**
 * The next batch for the target: what can land now, as many as the results of the last batches suggest. One
 * batch at a time.
 */
export function chooseLandings(snapshot: Snapshot): Land[] {
  if (!isFree(snapshot, 'land') || isHalted(snapshot) || snapshot.leaving !== 'no') return []
  if (isLookAwaited(snapshot)) return []
  const [entries] = planBatches(snapshot, 1)
  return entries ? [{ kind: 'land', entries }] : []
}

/** The coming batches, as far as they can be predicted: entries that conflict are not checked together. */
export function planBatches(snapshot: Snapshot, count: number): Entry[][] {
  const { rules, project, memory } = snapshot
  const size = Math.min(project.window?.size ?? firstWindow().size, rules.batchMax)
  const { ready } = orderEntries(landableIn(snapshot), LANDED)
  let queue = orderByWeather(ready, memory.weather, overdueAmong(snapshot, ready))
  const batches: Entry[][] = []
  while (batches.length < count && queue.length > 0) {
    const batch = chooseBatch(queue, size, memory.weather)
    batches.push(batch)
    queue = queue.filter((entry) => !batch.includes(entry))
  }
  return batches
}

function overdueAmong({ view, nowMs }: Snapshot, entries: readonly Entry[]): ReadonlySet<string> {
  const isOverdue = ({ task }: Entry): boolean => {
    const row = view.row(task)
    return row !== undefined && nowMs - Date.parse(sinceOf(row.task)) > WAIT_FOR_WEATHER_MAX_MS
  }
  return new Set(entries.filter(isOverdue).map(({ task }) => task))
}

/** Conflicts for the resolver (Rex), up to its number of tries. */
export function chooseResolutions(snapshot: Snapshot): Resolve[] {
  return [...snapshot.view.in('integrating')].flatMap((row): Resolve[] => {
    const conflict = conflictOf(row)
    const entry = conflict && canResolve(snapshot, conflict) ? entryOf(snapshot, row) : undefined
    return entry && isFree(snapshot, row.task.id) ? [{ kind: 'resolve', task: row.task.id, entry }] : []
  })
}

export function canResolve({ rules }: Snapshot, { level, tries, asked }: ConflictRecord): boolean {
  return level === 'MEDIUM' && !asked && tries < rules.conflictTries
}

export function conflictOf({ task, delivery }: TaskRow): ConflictRecord | null {
  return delivery.commit === null ? null : readLanding(task, delivery.commit).conflict
}

/** Everything that waits to land, repairs first, otherwise in the order of arrival in the queue. */
export function entriesIn(snapshot: Snapshot): Entry[] {
  return entriesOf(snapshot, waitingIn(snapshot))
}

/** What can land now: in remote mode only what the remote does not have, or has on an older target. */
function landableIn(snapshot: Snapshot): Entry[] {
  const { rules, memory } = snapshot
  if (rules.mode === 'direct') return entriesIn(snapshot)
  if (memory.remoteTarget === null) return []
  const rows = waitingIn(snapshot).filter((row) => {
    const { pushed } = recordOf(row) ?? {}
    return !isOffered(row) || pushed?.target !== memory.remoteTarget
  })
  return entriesOf(snapshot, rows)
}

/** Entries that are on the remote and wait for others to land them. */
export function offeredIn(snapshot: Snapshot): Entry[] {
  return entriesOf(snapshot, waitingIn(snapshot).filter(isOffered))
}

/** Whether a branch was offered so recently that it may still be merged while the director waits. */
export function isMergeAwaited(snapshot: Snapshot): boolean {
  const { rules, nowMs } = snapshot
  if (rules.mode === 'direct') return false
  const awaitedMs = rules.escalation.minutes * 60_000
  return waitingIn(snapshot).some((row) => {
    const { pushed } = recordOf(row) ?? {}
    return isOffered(row) && pushed != null && Date.parse(pushed.at) + awaitedMs > nowMs
  })
}

function waitingIn({ view }: Snapshot): TaskRow[] {
  const waiting = [...view.in('integrating')].filter((row) => {
    const { conflict = null, stuck = null } = recordOf(row) ?? {}
    return conflict === null && stuck === null
  })
  return [...view.in('repair-landing'), ...waiting]
}

function entriesOf(snapshot: Snapshot, rows: readonly TaskRow[]): Entry[] {
  return rows.flatMap((row) => {
    const entry = isFree(snapshot, row.task.id) ? entryOf(snapshot, row) : undefined
    return entry ? [entry] : []
  })
}

export function isStuck(row: TaskRow): boolean {
  return recordOf(row)?.stuck != null
}

function isOffered(row: TaskRow): boolean {
  const pushed = recordOf(row)?.pushed
  return pushed != null && pushed.source === sourceOf(row.task, row.delivery)
}

/** The landing record of the commit that is to land: the task's own work, or the repair. */
function recordOf({ task, delivery }: TaskRow): LandingRecord | undefined {
  const commit = delivery.state === 'repair-landing' ? delivery.repairCommit : delivery.commit
  return commit === null ? undefined : readLanding(task, commit)
}

export function entryOf({ view, rules }: Snapshot, row: TaskRow): Entry | undefined {
  const { task, delivery } = row
  const source = sourceOf(task, delivery)
  if (source === undefined || task.status === 'done') return undefined
  const pushed = recordOf(row)?.pushed
  return {
    task: task.id,
    agent: task.leases?.develop?.holder ?? taskMetadata(task.metadata).assignee ?? 'human',
    fence: entryFence(task),
    source,
    ...subjectOf(task, delivery, rules.commitTypes),
    dependsOn: dependenciesOf(task).filter((id) => !isDone(view.get(id))),
    ...(pushed ? { pushed: { branch: pushed.branch, commit: pushed.commit } } : {}),
  }
}

function subjectOf(
  task: Case,
  { state }: DeliveryState,
  types: readonly string[],
): Pick<Entry, 'type' | 'description'> {
  const description = (task.content.split('\n')[0] ?? '').slice(0, DESCRIPTION_CHARACTERS_MAX)
  if (state !== 'repair-landing') return { type: commitType(task, types), description }
  const type = types.includes('fix') ? 'fix' : (types[0] ?? 'fix')
  return { type, description: `repair what "${description}" met` }
}

/**
 * The task's tag if it names a type; otherwise the verb with which the task begins; otherwise the first type.
 */
function commitType({ tags = [], content }: Case, types: readonly string[]): string {
  const tagged = types.find((type) => tags.includes(type))
  const verb = /^\s*([a-z]+)/i.exec(content)?.[1]?.toLowerCase() ?? ''
  const meant = TYPE_OF_VERB[verb]
  return tagged ?? (meant && types.includes(meant) ? meant : undefined) ?? types[0] ?? 'feat'
}

const TYPE_OF_VERB: Readonly<Record<string, string>> = {
  fix: 'fix',
  correct: 'fix',
  repair: 'fix',
  refactor: 'refactor',
  rename: 'refactor',
  extract: 'refactor',
  simplify: 'refactor',
  test: 'test',
}
