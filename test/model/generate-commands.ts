import type { CaseType, Stage, Status } from '../../src/cases/case.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import type { PlainCases, PlainCommand } from './plain-cases.ts'

/** A small seeded generator, so that a failing sequence can be run again from its seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const TYPES = ['directive', 'draft', 'research', 'pending', 'deferred', 'operation', 'task', 'discovery']
const STATUSES = [
  'pending',
  'active',
  'blocked',
  'done',
  'failed',
  'timeout',
  'review',
  'outdated',
  'archived',
]

/** Mostly sensible, often forbidden: the next command for the cases as they are. */
export function nextCommand(model: PlainCases, random: () => number): PlainCommand {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const ids = [...model.cases.keys()]
  const anyId = () => (random() < 0.03 ? 'task-999' : (pick(ids) ?? 'task-001'))
  const ofType = (type: string) => pick(model.live().filter((one) => one.type === type))?.id ?? anyId()
  const maybe = (chance: number) => random() < chance

  const roll = random()
  if (ids.length < 4 || roll < 0.28) {
    const type = maybe(0.5) ? 'task' : (pick(TYPES) ?? 'draft')
    const parent =
      type === 'task'
        ? ofType('operation')
        : type === 'discovery'
          ? ofType('task')
          : maybe(0.6)
            ? anyId()
            : null
    const dependsOn = maybe(0.3) ? [anyId(), ...(maybe(0.3) ? [anyId()] : [])] : []
    return {
      kind: 'create',
      type,
      content: maybe(0.02) ? ' ' : `${type} ${ids.length}`,
      parent: maybe(0.03) ? null : parent,
      dependsOn,
    }
  }
  if (roll < 0.4) return { kind: 'depend', id: anyId(), on: anyId() }
  if (roll < 0.45) {
    const edges = model.live().flatMap(({ id, dependsOn }) => dependsOn.map((on) => ({ id, on })))
    return { kind: 'undepend', ...(pick(edges) ?? { id: anyId(), on: anyId() }) }
  }
  if (roll < 0.6) {
    const ready = model.live().filter((one) => model.isReady(one))
    const review = model.live().filter((one) => one.status === 'review')
    const stage = maybe(0.8) ? 'develop' : (pick(['critique', 'audit', 'resolve']) ?? 'audit')
    const target = maybe(0.8) ? pick(stage === 'develop' ? ready : review)?.id : ofType('task')
    return {
      kind: 'claim',
      id: target ?? anyId(),
      stage,
      holder: `echo-00${Math.ceil(random() * 4)}`,
      ttlMs: 1 + Math.floor(random() * 50),
    }
  }
  if (roll < 0.72) {
    const id = maybe(0.7) ? ofType(pick(['task', 'operation', 'research', 'pending']) ?? 'task') : anyId()
    return { kind: 'move', id, status: pick(STATUSES) ?? 'done' }
  }
  if (roll < 0.8) return { kind: 'complete', id: maybe(0.6) ? ofType('task') : anyId() }
  if (roll < 0.86) return { kind: 'transition', id: anyId(), type: pick(TYPES) ?? 'draft' }
  if (roll < 0.9) {
    const held = pick(model.live().filter(({ leases }) => Object.keys(leases).length > 0))
    const stage = Object.keys(held?.leases ?? {})[0] ?? 'develop'
    const fence = maybe(0.5) ? {} : { fence: (held?.leases[stage]?.fence ?? 1) - (maybe(0.3) ? 1 : 0) }
    return { kind: 'release', id: held && maybe(0.8) ? held.id : anyId(), stage, ...fence }
  }
  if (roll < 0.93) return { kind: 'recover', id: ofType('task') }
  if (roll < 0.96)
    return { kind: 'split', id: anyId(), types: [pick(TYPES) ?? 'task', ...(maybe(0.5) ? ['task'] : [])] }
  return { kind: 'delete', id: anyId(), cascade: maybe(0.5) }
}

/** The same command in the words of the real thing. */
export function realCommand(command: PlainCommand): CaseCommand {
  switch (command.kind) {
    case 'create': {
      const { parent, type, content, dependsOn } = command
      return {
        kind: 'create',
        type: type as CaseType,
        content,
        parentId: parent,
        dependsOn,
        ...scopeOf(type),
      }
    }
    case 'split': {
      const children = command.types.map((type, i) => ({
        type: type as CaseType,
        content: `part ${i}`,
        ...scopeOf(type),
      }))
      return { kind: 'split', id: command.id, children, reason: 'test' }
    }
    case 'move':
      return { ...command, status: command.status as Status, reason: 'test' }
    case 'transition':
      return { ...command, type: command.type as CaseType, reason: 'test' }
    case 'claim':
      return { ...command, stage: command.stage as Stage }
    case 'release':
      return { ...command, stage: command.stage as Stage }
    case 'delete':
    case 'recover':
      return { ...command, reason: 'test' }
    default:
      return command
  }
}

function scopeOf(type: string): { metadata?: { scope: string } } {
  return type === 'discovery' ? { metadata: { scope: 'local' } } : {}
}
