import { z } from 'zod'
import type { CaseType } from '../../cases/case.ts'
import { CASE_TYPES } from '../../cases/case-types.ts'
import { QUICK_ISSUES } from '../../project/interventions/review-task.ts'
import type { PersonCommand, QuickIssue } from '../contract.ts'

const id = z.string().regex(/^[a-z]{1,20}-\d{1,9}$/, 'no id of a case')
const agent = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'no id of an agent')
const line = z.string().min(1).max(1_000)
const PROSE_CHARACTERS_MAX = 100_000
const prose = z.string().min(1).max(PROSE_CHARACTERS_MAX)
const type = z.enum(Object.keys(CASE_TYPES) as [CaseType, ...CaseType[]])
const tags = z.array(z.string().min(1).max(100)).max(50)
const criteria = z.array(line).max(100)

/** The compiler checks the review issues against the contract. */
const ISSUES = Object.keys(QUICK_ISSUES satisfies Record<QuickIssue, string>) as [QuickIssue, ...QuickIssue[]]

const comments = z
  .array(
    z.strictObject({
      commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'no name of a commit'),
      file: z.string().min(1).max(4_096),
      line: z.int().min(1).max(10_000_000),
      side: z.enum(['old', 'new']),
      text: z.string().min(1).max(4_000),
    }),
  )
  .max(200)

const steering = [
  z.strictObject({ kind: z.literal('pause'), agent: agent.optional(), reason: line.optional() }),
  z.strictObject({ kind: z.literal('resume'), agent: agent.optional() }),
  z.strictObject({
    kind: z.literal('mode'),
    mode: z.enum(['semi-auto', 'autopilot']),
    until: z.string().max(100).optional(),
    tags: tags.optional(),
  }),
  z.strictObject({ kind: z.literal('assign'), task: id, agent: agent.optional() }),
  z.strictObject({ kind: z.literal('stop'), agent }),
  z.strictObject({ kind: z.literal('tell'), agent, text: prose }),
  z.strictObject({ kind: z.literal('redirect'), agent, task: id }),
] as const

const review = z.discriminatedUnion('decision', [
  z.strictObject({
    kind: z.literal('review'),
    task: id,
    decision: z.literal('approve'),
    note: prose.optional(),
  }),
  z.strictObject({
    kind: z.literal('review'),
    task: id,
    decision: z.literal('changes'),
    note: z.string().max(PROSE_CHARACTERS_MAX),
    issues: z.array(z.enum(ISSUES)).max(ISSUES.length).optional(),
    comments: comments.optional(),
    start: z.enum(['keep', 'fresh', 'checkpoint']).optional(),
  }),
])

const deciding = [
  z.strictObject({ kind: z.literal('answer'), case: id, text: prose, stands: z.boolean().optional() }),
  review,
  z.strictObject({ kind: z.literal('retry'), task: id, guidance: prose.optional() }),
  z.strictObject({ kind: z.literal('override'), case: id, reason: line.optional() }),
  z.strictObject({ kind: z.literal('halt'), task: id }),
  z.strictObject({ kind: z.literal('comment'), task: id, comments: comments.min(1) }),
] as const

const changes = [
  z.strictObject({
    kind: z.literal('create'),
    type,
    content: prose,
    parentId: id.optional(),
    criteria: criteria.optional(),
    dependsOn: z.array(id).max(100).optional(),
    tags: tags.optional(),
  }),
  z.strictObject({
    kind: z.literal('edit'),
    case: id,
    content: prose.optional(),
    criteria: criteria.optional(),
    tags: tags.optional(),
  }),
  z.strictObject({ kind: z.literal('depend'), case: id, on: id }),
  z.strictObject({ kind: z.literal('undepend'), case: id, on: id }),
  z.strictObject({ kind: z.literal('complete'), case: id }),
  z.strictObject({ kind: z.literal('block'), case: id, reason: line }),
  z.strictObject({ kind: z.literal('unblock'), case: id, reason: line.optional() }),
  z.strictObject({ kind: z.literal('defer'), case: id, reason: line }),
  z.strictObject({ kind: z.literal('transition'), case: id, type, reason: line }),
  z.strictObject({
    kind: z.literal('delete'),
    case: id,
    reason: line,
    cascade: z.boolean().optional(),
  }),
] as const

const command = z.discriminatedUnion('kind', [...steering, ...deciding, ...changes])

/** The schema of a command. The compiler checks it against the contract's types, in both directions. */
export const commandRequest = z.strictObject({
  key: z
    .string()
    .regex(/^[\w.:-]{8,100}$/, 'a key has 8 to 100 letters, digits, ".", ":", "_" or "-"')
    .describe('Chosen by the sender; the same key is carried out once.'),
  command,
})

export type SoundCommand = z.infer<typeof command>

/** Every command of the contract has a schema here, and every schema is a command of the contract. */
type Missing = Exclude<PersonCommand['kind'], SoundCommand['kind']>
type Unknown = Exclude<SoundCommand['kind'], PersonCommand['kind']>
export const KINDS_AGREE: [Missing, Unknown] extends [never, never] ? true : never = true
