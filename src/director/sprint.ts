import { fields } from '../events/task-standing.ts'
import { Failure } from '../platform/failure.ts'
import type { Effect } from './effects.ts'
import type { Sprint, SprintGoal } from './project-document.ts'
import { instantOf, type Scene } from './scene.ts'

/** How many tasks the sprint may still begin now; what is left of a count, all that there are, or none. */
export function sprintRoom(scene: Scene): number {
  const { sprint } = scene.project
  if (sprint === null) return Number.POSITIVE_INFINITY
  switch (sprint.goal.kind) {
    case 'no-ready':
      return Number.POSITIVE_INFINITY
    case 'count':
      return Math.max(0, sprint.goal.landings - landedIn(scene, sprint) - underWay(scene, sprint))
    case 'time':
      return sprint.goal.until <= instantOf(scene) ? 0 : Number.POSITIVE_INFINITY
  }
}

/** A task has landed before the document counts it; in between it is neither under way nor forgotten. */
function landedIn({ view }: Scene, { startedAt, landed }: Sprint): number {
  let count = 0
  for (const { task } of view.in('landed')) {
    const { at } = fields(fields(task.metadata.landing).landed)
    if (typeof at === 'string' && at >= startedAt) count += 1
  }
  return Math.max(landed, count)
}

/** Places from which a task goes on to the target without anybody's help. */
const ON_ITS_WAY = [
  'developing',
  'consulting',
  'file-waiting',
  'critique',
  'audit',
  'confirming',
  'integrating',
] as const

/** What is begun will land too, most likely: beginning more would overshoot the count. */
function underWay({ view, atWork }: Scene, { startedAt }: Sprint): number {
  let count = 0
  for (const state of ON_ITS_WAY)
    for (const { task } of view.in(state)) if (task.updatedAt >= startedAt) count += 1
  for (const { effect } of atWork.values()) count += unseen(view, effect)
  return count
}

/** A developer is on its way to its task before it has claimed it; what lands is done before it is counted. */
function unseen(view: Scene['view'], effect: Effect): number {
  if (effect.kind === 'develop') return view.row(effect.task)?.delivery.state === 'queued' ? 1 : 0
  if (effect.kind !== 'land') return 0
  return effect.entries.filter(({ task }) => view.row(task)?.delivery.state === 'landed').length
}

const DURATION = /^(\d+(?:\.\d+)?)(s|m|h|d)$/
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY_MS = 86_400_000
const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/

/** Reads what a person types after `--until`: `no-ready`, `count:N`, `duration:2h`, `time:18:00`. */
export function parseGoal(text: string, nowMs: number): SprintGoal {
  if (text === 'no-ready') return { kind: 'no-ready' }
  const [kind = '', ...rest] = text.split(':')
  const value = rest.join(':')
  if (kind === 'count' && /^[1-9]\d{0,8}$/.test(value)) return { kind: 'count', landings: Number(value) }
  if (kind === 'duration') {
    const [, number = '', unit = ''] = DURATION.exec(value) ?? []
    const ms = Number(number) * (UNIT_MS[unit] ?? 0)
    if (ms > 0 && ms < 365 * DAY_MS) return { kind: 'time', until: new Date(nowMs + ms).toISOString() }
  }
  if (kind === 'time') {
    const [, hours, minutes] = TIME_OF_DAY.exec(value) ?? []
    if (hours !== undefined && minutes !== undefined)
      return { kind: 'time', until: nextAt(Number(hours), Number(minutes), nowMs) }
  }
  throw new Failure('USAGE', `"${text}" is no goal of a sprint`, {
    hint: 'no-ready, count:5, duration:2h (s, m, h or d), or time:18:00',
  })
}

/** The next time that clocks here show this hour. */
function nextAt(hours: number, minutes: number, nowMs: number): string {
  const at = new Date(nowMs)
  at.setHours(hours, minutes, 0, 0)
  return new Date(at.getTime() > nowMs ? at.getTime() : at.getTime() + DAY_MS).toISOString()
}
