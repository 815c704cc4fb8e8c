import { z } from 'zod'
import type { CaseType } from '../../../cases/case.ts'
import { CASE_TYPES } from '../../../cases/case-types.ts'
import type { NewCase } from '../../../cases/command.ts'
import { Failure } from '../../../platform/failure.ts'

const texts = z.array(z.string())

const child = z.strictObject({
  type: z.enum(Object.keys(CASE_TYPES) as [CaseType, ...CaseType[]]),
  content: z.string().min(1),
  key: z.string().min(1).optional(),
  dependsOn: texts.optional(),
  acceptanceCriteria: texts.optional(),
  tags: texts.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})

const file = z.union([z.array(child).min(1), z.strictObject({ children: z.array(child).min(1) })])

/**
 * The children of a split, which refer to each other by key. All faults of the file are reported together.
 */
export function parseSplit(text: string): NewCase[] {
  const parsed = file.safeParse(parseJson(text))
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) =>
      issue.code === 'invalid_union' ? issue.errors.flat() : issue,
    )
    throw malformed(faults.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`).join('; '))
  }
  const children = Array.isArray(parsed.data) ? parsed.data : parsed.data.children
  const keys = new Set(children.map(({ key }) => key))
  return children.map(({ key, dependsOn, acceptanceCriteria, metadata, ...rest }) => ({
    type: rest.type,
    content: rest.content,
    ...(rest.tags ? { tags: rest.tags } : {}),
    ...(key === undefined ? {} : { as: key }),
    ...(dependsOn ? { dependsOn: dependsOn.map((on) => (keys.has(on) ? `$${on}` : on)) } : {}),
    ...(acceptanceCriteria || metadata
      ? { metadata: { ...metadata, ...(acceptanceCriteria ? { acceptanceCriteria } : {}) } }
      : {}),
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error))
  }
}

function malformed(what: string): Failure {
  return new Failure('USAGE_FILE', `the file is malformed: ${what}`, {
    hint: 'it should be a JSON list of {"type", "content", "key"?, "dependsOn"?, "acceptanceCriteria"?, "tags"?}; nothing was changed',
  })
}
