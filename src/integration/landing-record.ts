import { z } from 'zod'
import type { Case } from '../cases/case.ts'
import type { Metadata } from '../cases/metadata.ts'

/** The metadata key of a task's state in the merge queue. */
export const LANDING_KEY = 'landing'
const VERSION = 1
const FILES_KEPT_MAX = 20

const commit = z.string().max(64)
const instant = z.iso.datetime()

const schema = z.strictObject({
  version: z.literal(VERSION),
  /** The commit under review that this record is about; a newer commit gets a new record. */
  of: commit,
  conflict: z
    .strictObject({
      level: z.enum(['MEDIUM', 'COMPLEX']),
      /** The commit of the target that it conflicts with. */
      target: commit,
      files: z.array(z.string().max(300)).max(FILES_KEPT_MAX),
      /** Ended attempts of the resolver. */
      tries: z.int().nonnegative(),
      since: instant,
      /** The workspace in which it can be settled by hand. */
      workspace: z.string().max(100).nullable(),
      /** Whether a person was asked; the answer is in the question, which is done. */
      asked: z.boolean().default(false),
      /** What became of the last attempt. */
      reason: z.string().max(1_000).nullable(),
    })
    .nullable(),
  /** A merge of the target and the work that a resolver or a person made: this lands in place of the work. */
  resolution: z.strictObject({ commit, by: z.string().max(80) }).nullable(),
  /** The branch on the remote: what was pushed for which work, and the target it was last checked on. */
  pushed: z
    .strictObject({ branch: z.string().max(200), commit, source: commit, target: commit, at: instant })
    .nullable(),
  /** Why the branch is not on the remote, and whether a person was asked. */
  stuck: z
    .strictObject({
      reason: z.enum(['push-declined', 'branch-taken', 'closed']),
      branch: z.string().max(200),
      said: z.string().max(1_000),
      asked: z.boolean(),
    })
    .nullable()
    .default(null),
  landed: z
    .strictObject({ commit, at: instant, evidence: z.string().max(200).nullable(), published: z.boolean() })
    .nullable(),
})

export type LandingRecord = Readonly<z.infer<typeof schema>>
export type ConflictRecord = NonNullable<LandingRecord['conflict']>
export type StuckRecord = NonNullable<LandingRecord['stuck']>

export function newLanding(of: string): LandingRecord {
  return { version: VERSION, of, conflict: null, resolution: null, pushed: null, stuck: null, landed: null }
}

/** The record of this commit. From the record of another commit only the branch on the remote is kept. */
export function readLanding(subject: Pick<Case, 'metadata'>, of: string): LandingRecord {
  const last = lastLanding(subject)
  return last?.of === of ? last : { ...newLanding(of), pushed: last?.pushed ?? null }
}

/** The record of the last landing, for any commit. */
export function lastLanding({ metadata }: Pick<Case, 'metadata'>): LandingRecord | undefined {
  // Most tasks have none, and the director calls this often for each of them.
  if (metadata[LANDING_KEY] === undefined) return undefined
  const parsed = schema.safeParse(metadata[LANDING_KEY])
  return parsed.success ? parsed.data : undefined
}

/** Landed, and not known to be on the user's own branch. */
export function isUnpublished(subject: Pick<Case, 'metadata'>): boolean {
  return lastLanding(subject)?.landed?.published === false
}

export function landingMetadata(record: LandingRecord): Metadata {
  const { conflict } = record
  if (conflict === null) return { [LANDING_KEY]: record }
  const files = conflict.files.slice(0, FILES_KEPT_MAX).map((file) => file.slice(0, 300))
  return { [LANDING_KEY]: { ...record, conflict: { ...conflict, files } } }
}
