import { z } from 'zod'
import type { Actor, Case, Instant } from '../cases/case.ts'
import type { Metadata } from '../cases/metadata.ts'

/** The key of a task's metadata under which a person's orders wait for the director. */
export const ORDERS_KEY = 'orders'
/** The key that names the agent to start the task next; `''` means any agent. */
export const ASSIGNED_KEY = 'assigned'
/** The key that marks a task as stopped by a person: only a person starts it again. */
export const STOPPED_KEY = 'stopped'
export const ORDERS_MAX = 20
/** A longer text is stored as a blob, and only its digest here. Metadata is small. */
export const INLINE_CHARACTERS_MAX = 80
const NAME_CHARACTERS_MAX = 40

const schema = z.strictObject({
  id: z.string().min(1).max(NAME_CHARACTERS_MAX),
  kind: z.enum(['tell', 'stop', 'pause', 'resume', 'redirect']),
  by: z.string().max(NAME_CHARACTERS_MAX),
  at: z.iso.datetime(),
  /** The agent that it is for; without it, any agent at work on the task. */
  agent: z.string().max(NAME_CHARACTERS_MAX).optional(),
  text: z.string().max(INLINE_CHARACTERS_MAX).optional(),
  digest: z.string().max(80).optional(),
  /** The task that a redirected agent goes to. */
  to: z.string().max(NAME_CHARACTERS_MAX).optional(),
})

/**
 * A person's order for the work on one task. It is kept in the task itself, so that it is valid with or
 * without a running director; the director carries it out and removes it in one commit.
 */
export type Order = Readonly<z.infer<typeof schema>>
export type OrderKind = Order['kind']

/** The orders of a task, the oldest first; an unreadable one is ignored. */
export function ordersOf({ metadata }: Pick<Case, 'metadata'>): readonly Order[] {
  const value = metadata[ORDERS_KEY]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** An order replaces those that it makes void: a person's latest order counts. */
const VOIDS: Readonly<Record<OrderKind, readonly OrderKind[]>> = {
  tell: [],
  pause: ['pause', 'resume'],
  resume: ['pause', 'resume'],
  stop: ['stop', 'redirect', 'pause', 'resume'],
  redirect: ['stop', 'redirect', 'pause', 'resume'],
}

/** The orders including this one; undefined when there are too many. */
export function addOrder(orders: readonly Order[], order: Order): readonly Order[] | undefined {
  const kept = orders.filter(({ kind, agent }) => !VOIDS[order.kind].includes(kind) || agent !== order.agent)
  return kept.length < ORDERS_MAX ? [...kept, order] : undefined
}

/** The metadata change that removes these orders; null removes the key with the last of them. */
export function consumeOrders(orders: readonly Order[], ids: readonly string[]): Metadata {
  const left = orders.filter(({ id }) => !ids.includes(id))
  return { [ORDERS_KEY]: left.length > 0 ? left : null }
}

export interface DueOrders {
  /** For the agent at work, in the order in which they were given. */
  readonly due: readonly Order[]
  /** For an agent that is no longer at work here: removed without being carried out. */
  readonly void: readonly Order[]
}

/**
 * The orders that an agent at work on the task has to follow. Messages to an agent that is gone go to its
 * successor; every other order was meant for that agent alone.
 */
export function dueOrders(orders: readonly Order[], agent: string): DueOrders {
  const isDue = (order: Order): boolean =>
    order.kind === 'tell' || order.agent === undefined || order.agent === agent
  return { due: orders.filter(isDue), void: orders.filter((order) => !isDue(order)) }
}

/** The agent that a person chose for a task, or any (`''`); undefined when none was requested. */
export function assignedTo({ metadata }: Pick<Case, 'metadata'>): string | undefined {
  const agent = metadata[ASSIGNED_KEY]
  return typeof agent === 'string' ? agent : undefined
}

/** Whether a person stopped this task: it waits for a person to assign or retry it, also in autopilot. */
export function isStopped({ metadata }: Pick<Case, 'metadata'>): boolean {
  return typeof metadata[STOPPED_KEY] === 'object' && metadata[STOPPED_KEY] !== null
}

/** The mark that a stop leaves after it was carried out. */
export function stoppedMark(by: Actor, at: Instant): Metadata {
  return { [STOPPED_KEY]: { by, at } }
}
