import { z } from 'zod'
import type { Actor, Case, Instant } from '../cases/case.ts'
import type { Metadata } from '../cases/metadata.ts'

/** The key of a task's metadata under which a person's orders wait for the director. */
export const ORDERS_KEY = 'orders'
/** The key under which stands who is to take the task up next: an agent, or nobody in particular (`''`). */
export const ASSIGNED_KEY = 'assigned'
/** The key that says that a person stopped the work on a task: nothing starts it but a person. */
export const STOPPED_KEY = 'stopped'
export const ORDERS_MAX = 20
/** Longer words are a blob; what is left here is its digest. Metadata is small. */
export const INLINE_CHARACTERS_MAX = 80
const NAME_CHARACTERS_MAX = 40

const schema = z.strictObject({
  id: z.string().min(1).max(NAME_CHARACTERS_MAX),
  kind: z.enum(['tell', 'stop', 'pause', 'resume', 'redirect']),
  by: z.string().max(NAME_CHARACTERS_MAX),
  at: z.iso.datetime(),
  /** Whom it is for; without it, whoever is at work on the task. */
  agent: z.string().max(NAME_CHARACTERS_MAX).optional(),
  text: z.string().max(INLINE_CHARACTERS_MAX).optional(),
  digest: z.string().max(80).optional(),
  /** The task that a redirected agent goes to. */
  to: z.string().max(NAME_CHARACTERS_MAX).optional(),
})

/**
 * What a person wants of the work on one task. It stands in the task itself, so that it holds at any moment, with a
 * director running or not; the director carries it out and takes it away in one commit.
 */
export type Order = Readonly<z.infer<typeof schema>>
export type OrderKind = Order['kind']

/** The orders of a task, the oldest first; what cannot be read is no order. */
export function ordersOf({ metadata }: Pick<Case, 'metadata'>): readonly Order[] {
  const value = metadata[ORDERS_KEY]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** An order takes the place of those that it makes void: the last word of a person counts. */
const VOIDS: Readonly<Record<OrderKind, readonly OrderKind[]>> = {
  tell: [],
  pause: ['pause', 'resume'],
  resume: ['pause', 'resume'],
  stop: ['stop', 'redirect', 'pause', 'resume'],
  redirect: ['stop', 'redirect', 'pause', 'resume'],
}

/** The orders with this one among them; undefined when there are too many. */
export function addOrder(orders: readonly Order[], order: Order): readonly Order[] | undefined {
  const kept = orders.filter(({ kind, agent }) => !VOIDS[order.kind].includes(kind) || agent !== order.agent)
  return kept.length < ORDERS_MAX ? [...kept, order] : undefined
}

/** The change of the metadata that takes these orders away; null removes the key with the last of them. */
export function consumeOrders(orders: readonly Order[], ids: readonly string[]): Metadata {
  const left = orders.filter(({ id }) => !ids.includes(id))
  return { [ORDERS_KEY]: left.length > 0 ? left : null }
}

export interface DueOrders {
  /** For the agent at work, in the order in which they were given. */
  readonly due: readonly Order[]
  /** For an agent that is no longer at work here: they are taken away without being carried out. */
  readonly void: readonly Order[]
}

/**
 * Which orders an agent at work on the task is to follow. Words to an agent that is gone are for the one that goes on
 * with its work; everything else was meant for that one alone.
 */
export function dueOrders(orders: readonly Order[], agent: string): DueOrders {
  const isDue = (order: Order): boolean =>
    order.kind === 'tell' || order.agent === undefined || order.agent === agent
  return { due: orders.filter(isDue), void: orders.filter((order) => !isDue(order)) }
}

/** The agent that a person chose for a task, or any (`''`); undefined when nobody was asked for. */
export function assignedTo({ metadata }: Pick<Case, 'metadata'>): string | undefined {
  const agent = metadata[ASSIGNED_KEY]
  return typeof agent === 'string' ? agent : undefined
}

/** Whether a person stopped this task: it waits for one to assign or retry it, also in autopilot. */
export function isStopped({ metadata }: Pick<Case, 'metadata'>): boolean {
  return typeof metadata[STOPPED_KEY] === 'object' && metadata[STOPPED_KEY] !== null
}

/** What is kept of a stop when it has been carried out. */
export function stoppedMark(by: Actor, at: Instant): Metadata {
  return { [STOPPED_KEY]: { by, at } }
}
