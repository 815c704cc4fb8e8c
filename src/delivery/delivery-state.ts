import { z } from 'zod'
import type { Case, Status } from '../cases/case.ts'

/** The key of a task's metadata under which its delivery stands. */
export const DELIVERY_KEY = 'delivery'
const VERSION = 1

/** Where a task stands between being ready and being landed. One flat list; what it waits to return to is `resume`. */
export const DELIVERY_STATES = [
  'queued',
  'specifying',
  'developing',
  'critique',
  'audit',
  'confirming',
  'person-review',
  'integrating',
  'landed',
  'failed',
  'timed-out',
  'consulting',
  'asking',
  'file-waiting',
  'remediating',
  'health-check',
  'repair-landing',
  'awaiting-repair',
  'repair-escalated',
  'halted',
] as const

export type DeliveryStateName = (typeof DELIVERY_STATES)[number]

/** Answers kept with the task; older ones are in its history. */
const VERDICTS_MAX = 8
/** A task waits inside a repair, and the repair inside a question: no row of the table goes deeper. */
export const RESUME_DEPTH_MAX = 3

const count = z.int().nonnegative()
const instant = z.iso.datetime()
const stateName = z.enum(DELIVERY_STATES)

const verdict = z.strictObject({
  id: z.string().max(80),
  signal: z.string().max(60),
  sender: z.string().max(40),
  agent: z.string().max(80),
  commit: z.string().max(64).nullable(),
  at: instant,
})

const schema = z.strictObject({
  version: z.literal(VERSION),
  state: stateName,
  /** Where to go on after a wait; the last is the next. */
  resume: z.array(stateName).max(RESUME_DEPTH_MAX),
  /** Refusals by kind; each kind has its cap. */
  rounds: z.strictObject({ review: count, audit: count, landing: count, person: count }),
  /** The ladder: tries of the task's own agents, then requests to experts. */
  ownTries: count,
  expertTries: count,
  /** Audits that showed no evidence, or whose commands AXIOM saw fail. */
  auditorFaults: count,
  /** Agents that were lost or fell silent at this one piece of work. */
  losses: count,
  fileConflicts: count,
  repairAttempts: count,
  /** The commit that the remediator brought; none where it repaired without changing the code. */
  repairCommit: z.string().max(64).nullable().default(null),
  /** The commit under review, and the last one that was sent back. */
  commit: z.string().max(64).nullable(),
  refusedCommit: z.string().max(64).nullable(),
  /** Digest of the blob with every finding so far. */
  findings: z.string().max(80).nullable(),
  /** The request an expert has in hand. */
  request: z.strictObject({ id: z.string().max(120), expert: z.string().max(80) }).nullable(),
  /** The file that the task waits for, and the agent that is said to have it. */
  file: z
    .strictObject({ path: z.string().max(400), holder: z.string().max(80).nullable() })
    .nullable()
    .default(null),
  wait: z
    .strictObject({
      kind: z.enum(['checkpoint', 'expert', 'file', 'question']),
      until: instant,
      /** The answer that holds when nobody gave one in time. */
      fallback: z.string().max(200).nullable(),
    })
    .nullable(),
  /** A BLOCKED or PENDING on the way: the task no longer lands without a person, where modes ask for one. */
  hadStop: z.boolean(),
  verdicts: z.array(verdict).max(VERDICTS_MAX),
})

export type DeliveryState = Readonly<z.infer<typeof schema>>
export type Verdict = z.infer<typeof verdict>
export type Wait = NonNullable<DeliveryState['wait']>

export function newDelivery(): DeliveryState {
  return {
    version: VERSION,
    state: 'queued',
    resume: [],
    rounds: { review: 0, audit: 0, landing: 0, person: 0 },
    ownTries: 0,
    expertTries: 0,
    auditorFaults: 0,
    losses: 0,
    fileConflicts: 0,
    repairAttempts: 0,
    repairCommit: null,
    commit: null,
    refusedCommit: null,
    findings: null,
    request: null,
    file: null,
    wait: null,
    hadStop: false,
    verdicts: [],
  }
}

export type ReadDelivery =
  | { readonly kind: 'read'; readonly delivery: DeliveryState }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Metadata is never changed in place, so that what was read of it once holds for as long as it is there. */
const READ = new WeakMap<object, DeliveryState>()

/** The delivery of a task as its metadata tells it; a task without one has not begun. */
export function readDelivery(task: Pick<Case, 'metadata'>): ReadDelivery {
  const value = task.metadata[DELIVERY_KEY]
  if (value === undefined || value === null) return { kind: 'read', delivery: newDelivery() }
  const known = typeof value === 'object' ? READ.get(value) : undefined
  if (known) return { kind: 'read', delivery: known }
  const parsed = schema.safeParse(value)
  if (parsed.success) {
    READ.set(value as object, parsed.data)
    return { kind: 'read', delivery: parsed.data }
  }
  const issue = parsed.error.issues[0]
  return { kind: 'unreadable', reason: `delivery.${issue?.path.join('.')}: ${issue?.message}` }
}

export function withVerdict(delivery: DeliveryState, verdict: Verdict): DeliveryState {
  return { ...delivery, verdicts: [...delivery.verdicts, verdict].slice(-VERDICTS_MAX) }
}

const OWN_STATUS: Readonly<Partial<Record<DeliveryStateName, Status>>> = {
  queued: 'pending',
  specifying: 'pending',
  developing: 'active',
  critique: 'review',
  audit: 'review',
  confirming: 'review',
  'person-review': 'review',
  integrating: 'review',
  landed: 'done',
  failed: 'failed',
  'timed-out': 'timeout',
}

/** Waits in which the agent that asked keeps its claim. */
const CLAIM_KEPT: readonly DeliveryStateName[] = ['consulting', 'file-waiting']

/**
 * The status of the task, read off its place in delivery so that the two cannot disagree. A wait has the
 * status of what it returns to; only what would be free for anyone to claim is blocked meanwhile.
 */
export function statusOf(state: DeliveryStateName, resume: readonly DeliveryStateName[]): Status {
  const own = OWN_STATUS[state]
  if (own !== undefined) return own
  const next = resume.at(-1) ?? 'queued'
  const status = statusOf(next, resume.slice(0, -1))
  return status === 'pending' && !CLAIM_KEPT.includes(state) ? 'blocked' : status
}
