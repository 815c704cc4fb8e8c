import { type Case, dependenciesOf, isDone } from '../cases/case.ts'
import { taskMetadata } from '../cases/metadata.ts'
import type { DeliveryState } from '../delivery/delivery-state.ts'
import type { Entry } from '../integration/entry.ts'
import { type ConflictRecord, readLanding } from '../integration/landing-record.ts'
import { firstWindow, orderEntries } from '../integration/plan-batch.ts'
import type { Land, Resolve } from './effects.ts'
import { entryFence, sourceOf } from './queue-entries.ts'
import { isFree, isHalted, type Scene } from './scene.ts'
import type { TaskRow } from './view.ts'

const LANDED: ReadonlySet<string> = new Set()
const DESCRIPTION_CHARACTERS_MAX = 200

/** The next batch for the target: what can land now, as many as the last batches taught. One batch at a time. */
export function chooseLandings(scene: Scene): Land[] {
  const { rules, project } = scene
  if (!isFree(scene, 'land') || isHalted(scene) || scene.leaving !== 'no') return []
  const queue = entriesIn(scene)
  const { ready } = orderEntries(queue, LANDED)
  const size = Math.min(project.window?.size ?? firstWindow().size, rules.batchMax)
  const entries = ready.slice(0, size)
  return entries.length > 0 ? [{ kind: 'land', entries }] : []
}

/** Conflicts for Rex, as often as he may try. */
export function chooseResolutions(scene: Scene): Resolve[] {
  return [...scene.view.in('integrating')].flatMap((row): Resolve[] => {
    const conflict = conflictOf(row)
    const entry = conflict && canResolve(scene, conflict) ? entryOf(scene, row) : undefined
    return entry && isFree(scene, row.task.id) ? [{ kind: 'resolve', task: row.task.id, entry }] : []
  })
}

export function canResolve({ rules }: Scene, { level, tries, asked }: ConflictRecord): boolean {
  return level === 'MEDIUM' && !asked && tries < rules.conflictTries
}

export function conflictOf({ task, delivery }: TaskRow): ConflictRecord | null {
  return delivery.commit === null ? null : readLanding(task, delivery.commit).conflict
}

/** Everything that waits to land, repairs first, otherwise in the order in which it came to the queue. */
export function entriesIn(scene: Scene): Entry[] {
  const waiting = [...scene.view.in('integrating')].filter((row) => conflictOf(row) === null)
  return [...scene.view.in('repair-landing'), ...waiting].flatMap((row) => {
    const entry = isFree(scene, row.task.id) ? entryOf(scene, row) : undefined
    return entry ? [entry] : []
  })
}

export function entryOf({ view, rules }: Scene, { task, delivery }: TaskRow): Entry | undefined {
  const source = sourceOf(task, delivery)
  if (source === undefined || task.status === 'done') return undefined
  return {
    task: task.id,
    agent: task.leases?.develop?.holder ?? taskMetadata(task.metadata).assignee ?? 'human',
    fence: entryFence(task),
    source,
    ...subjectOf(task, delivery, rules.commitTypes),
    dependsOn: dependenciesOf(task).filter((id) => !isDone(view.get(id))),
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

/** A tag of that name says it; otherwise the verb with which the task begins; otherwise the first type there is. */
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
