import { z } from 'zod'
import type { Case } from '../cases/case.ts'

/** The metadata key of a task's delivery. */
export const DELIVERY_KEY = 'delivery'
const VERSION = 1

/**
 * The states of a task from ready to landed, as one flat list; `resume` holds the state that a wait returns
 * to.
 */
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
  /** The states to return to after a wait; the last is the next. */
  resume: z.array(stateName).max(RESUME_DEPTH_MAX),
  /** Refusals by kind; each kind has its cap. */
  rounds: z.strictObject({ review: count, audit: count, landing: count, person: count }),
  /** The ladder: tries of the task's own agents, then requests to experts. */
  ownTries: count,
  expertTries: count,
  /** Audits that showed no evidence, or whose commands AXIOM saw fail. */
  auditorFaults: count,
  /** Agents that were lost or stalled at this piece of work. */
  losses: count,
  fileConflicts: count,
  repairAttempts: count,
  /** The remediator's commit; null where it repaired without changing the code. */
  repairCommit: z.string().max(64).nullable().default(null),
  /** The commit under review, and the last one that was sent back. */
  commit: z.string().max(64).nullable(),
  refusedCommit: z.string().max(64).nullable(),
  /** Digest of the blob with every finding so far. */
  findings: z.string().max(80).nullable(),
  /** The open request to an expert. */
  request: z.strictObject({ id: z.string().max(120), expert: z.string().max(80) }).nullable(),
  /** The file that the task waits for, and the agent named as its holder. */
  file: z
    .strictObject({ path: z.string().max(400), holder: z.string().max(80).nullable() })
    .nullable()
    .default(null),
  wait: z
    .strictObject({
      kind: z.enum(['checkpoint', 'expert', 'file', 'question']),
      until: instant,
      /** The answer that applies when no person gives one in time. */
      fallback: z.string().max(200).nullable(),
    })
    .nullable(),
  /**
   * There was a BLOCKED or PENDING: where the mode asks for a person, the task no longer lands without one.
   */
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

/** Metadata is never changed in place, so a parsed value stays valid as long as the object exists. */
const READ = new WeakMap<object, DeliveryState>()

/** The delivery in a task's metadata; a task without one has not started. */
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
