import type { Case } from '../../cases/case.ts'
import { isCaseType } from '../../cases/case-types.ts'
import { parseId } from '../../cases/ids.ts'
import { metadataFault } from '../../cases/metadata.ts'
import { statusesOf } from '../../cases/statuses.ts'

type Field = readonly [name: keyof Case, holds: (value: unknown) => boolean, what: string]

const isText = (value: unknown) => typeof value === 'string'
const isInstant = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const isTexts = (value: unknown) => value === undefined || (Array.isArray(value) && value.every(isText))

const FIELDS: readonly Field[] = [
  ['id', (value) => typeof value === 'string' && parseId(value) !== undefined, 'an id such as task-001'],
  ['type', (value) => typeof value === 'string' && isCaseType(value), 'a case type'],
  ['content', isText, 'text'],
  ['parentId', (value) => value === null || isText(value), 'an id or null'],
  ['createdAt', isInstant, 'an ISO 8601 instant'],
  ['updatedAt', isInstant, 'an ISO 8601 instant'],
  ['rev', (value) => Number.isSafeInteger(value) && Number(value) >= 1, 'a revision from 1'],
  ['uid', (value) => isText(value) && value !== '', 'text'],
  ['metadata', (value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object'],
  ['dependsOn', isTexts, 'a list of ids'],
  ['tags', isTexts, 'a list of words'],
]

/** The fault in the shape of a case that AXIOM did not write; undefined when there is none. */
export function caseFault(subject: Case): string | undefined {
  const bad = FIELDS.find(([name, holds]) => !holds(subject[name]))
  if (bad) return `${bad[0]} should be ${bad[2]}`
  if (!statusesOf(subject.type).includes(subject.status)) {
    return `status of a ${subject.type} should be one of ${statusesOf(subject.type).join(', ')}`
  }
  return metadataFault(subject.type, subject.metadata)
}
