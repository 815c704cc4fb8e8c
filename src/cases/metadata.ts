import { createRequire } from 'node:module'
import type { z as Zod } from 'zod'
import type { CaseType, Metadata } from './case.ts'
import { type Sight, sightOf } from './form-at-sight.ts'

export type { Metadata } from './case.ts'

/** Evidence, findings, prompts and transcripts are blobs; the metadata holds only their digests. */
export const METADATA_BYTES_MAX = 8_192

/** The seven categories of a discovery. */
export const DISCOVERY_CATEGORIES = [
  'performance',
  'testing',
  'debugging',
  'error-handling',
  'patterns',
  'architecture',
  'general',
] as const

function defineSchemas(z: typeof Zod) {
  const texts = z.array(z.string())
  const count = z.number().int().nonnegative()

  const option = z.looseObject({ label: z.string(), tradeOff: z.string().optional() })

  /** Facts about a task's runs; each field is set when its value becomes known. */
  const taskExecution = z.looseObject({
    startedAt: z.string().optional(),
    completedAt: z.string().optional(),
    durationMs: count.optional(),
    iterations: count.optional(),
    retryCount: count.optional(),
    workspace: z.string().optional(),
    branch: z.string().optional(),
    finalCommit: z.string().optional(),
    testsPassed: count.optional(),
    testsTotal: count.optional(),
    verificationPassed: z.boolean().optional(),
    codeChanges: z.looseObject({ filesChanged: count, linesAdded: count, linesRemoved: count }).optional(),
    lastError: z.string().optional(),
    signals: texts.optional(),
  })

  /**
   * The fields that each type knows. They are loose: a case that changes its type keeps what it had,
   * and a later version's fields survive an earlier one. None is required to be there, so that an
   * empty field costs nothing on disk; one that is there must have its form.
   */
  return {
    directive: z.looseObject({
      jtbd: z.string().optional(),
      specFile: z.string().optional(),
      satisfied: z.boolean().optional(),
      projectContext: z.record(z.string(), z.unknown()).optional(),
    }),
    draft: z.looseObject({ clarifyingQuestions: texts.optional(), splitCandidates: texts.optional() }),
    research: z.looseObject({
      researchQuestion: z.string().optional(),
      timeBox: z.number().positive().optional(),
      findings: texts.optional(),
      pocRequired: z.boolean().optional(),
    }),
    pending: z.looseObject({
      question: z.string().optional(),
      options: z.array(option).optional(),
      decision: z.string().nullable().optional(),
      /** A question raised by a run holds that task alone. */
      waitingTask: z.string().optional(),
    }),
    deferred: z.looseObject({ deferredFrom: z.string().optional() }),
    operation: z.looseObject({
      acceptanceCriteria: texts.optional(),
      fileHints: texts.optional(),
      investScore: z.record(z.string(), z.unknown()).optional(),
    }),
    task: z.looseObject({
      acceptanceCriteria: texts.optional(),
      fileHints: texts.optional(),
      verify: texts.optional(),
      assignee: z.string().nullable().optional(),
      execution: taskExecution.optional(),
      reviewCount: count.optional(),
      /** Set when a person, not a landing, made the task done. */
      completedManually: z.boolean().optional(),
    }),
    discovery: z.looseObject({
      scope: z.enum(['local', 'global']),
      category: z.string().optional(),
      sourceTaskId: z.string().optional(),
      sourceAgentId: z.string().optional(),
      impact: z.enum(['low', 'medium', 'high', 'critical']).optional(),
      validated: z.boolean().optional(),
      appliedTo: texts.optional(),
      supersededBy: z.string().nullable().optional(),
    }),
  } satisfies Record<CaseType, Zod.ZodType>
}

type Schemas = ReturnType<typeof defineSchemas>

interface Form {
  readonly schema: Zod.ZodType
  readonly sight: Sight
}

let schemas: Schemas | undefined
const forms = new Map<CaseType, Form>()

/** Built on the first check of metadata: most commands only read cases and need not pay for it. */
function formOf(type: CaseType): Form {
  const known = forms.get(type)
  if (known) return known
  schemas ??= defineSchemas((createRequire(import.meta.url)('zod') as { z: typeof Zod }).z)
  const form = { schema: schemas[type], sight: sightOf(schemas[type]) }
  forms.set(type, form)
  return form
}

export type TaskMetadata = Zod.infer<Schemas['task']>
export type TaskExecution = NonNullable<TaskMetadata['execution']>
export type DiscoveryMetadata = Zod.infer<Schemas['discovery']>

/** The first fault of `metadata` for this type, as readable text; undefined when there is none. */
export function metadataFault(type: CaseType, metadata: Metadata): string | undefined {
  const { schema, sight } = formOf(type)
  const issue = sight(metadata) ? undefined : schema.safeParse(metadata).error?.issues[0]
  if (issue) return `metadata.${issue.path.join('.')}: ${issue.message}`
  if (roughBytes(metadata) <= METADATA_BYTES_MAX) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(metadata))
  if (bytes <= METADATA_BYTES_MAX) return undefined
  return `metadata takes ${bytes} bytes; at most ${METADATA_BYTES_MAX} are kept with a case`
}

/** A character in UTF-8, or as an escape. */
const CHARACTER_BYTES_MAX = 6
const NUMBER_BYTES_MAX = 25
/** Quotes, a comma or colon, brackets. */
const PUNCTUATION_BYTES = 6

/**
 * An upper bound of the JSON size, found without building the text: a value that is small by this bound, as
 * nearly all are, need not be measured. Infinite for a value without a plain JSON form.
 */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * CHARACTER_BYTES_MAX + PUNCTUATION_BYTES
  if (typeof value === 'number' || typeof value === 'boolean') return NUMBER_BYTES_MAX
  if (typeof value !== 'object') return value === undefined ? 0 : Number.POSITIVE_INFINITY
  if (value === null) return NUMBER_BYTES_MAX
  let bytes = PUNCTUATION_BYTES
  if (Array.isArray(value)) {
    for (const item of value) bytes += roughBytes(item)
    return bytes
  }
  if ((value as { toJSON?: unknown }).toJSON !== undefined) return Number.POSITIVE_INFINITY
  for (const key in value) bytes += roughBytes(key) + roughBytes(value[key as keyof typeof value])
  return bytes
}

export function taskMetadata(metadata: Metadata): TaskMetadata {
  return metadata as TaskMetadata
}

export function discoveryMetadata(metadata: Metadata): DiscoveryMetadata {
  return metadata as DiscoveryMetadata
}
