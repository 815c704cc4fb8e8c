import type { CaseType } from './case.ts'

/** How each type is shown and numbered. */
export const CASE_TYPES: Readonly<Record<CaseType, { prefix: string; symbol: string; colour: string }>> = {
  directive: { prefix: 'dir', symbol: '■', colour: 'black' },
  draft: { prefix: 'draft', symbol: '□', colour: 'gray' },
  research: { prefix: 'res', symbol: '◆', colour: 'orange' },
  pending: { prefix: 'pend', symbol: '◇', colour: 'purple' },
  deferred: { prefix: 'def', symbol: '▣', colour: 'red' },
  operation: { prefix: 'op', symbol: '▢', colour: 'blue' },
  task: { prefix: 'task', symbol: '▤', colour: 'green' },
  discovery: { prefix: 'disc', symbol: '●', colour: 'yellow' },
}

/** What a case may turn into. A deferred case may also go back to the type it had. */
export const TRANSITIONS: Readonly<Record<CaseType, readonly CaseType[]>> = {
  directive: [],
  draft: ['research', 'pending', 'operation', 'deferred'],
  research: ['draft', 'operation', 'deferred'],
  pending: ['draft', 'operation', 'deferred'],
  deferred: ['draft'],
  operation: ['draft', 'deferred'],
  task: ['deferred'],
  discovery: [],
}

/** What a case may have as children. A case of a type that needs a parent is in no other list. */
export const CHILDREN: Readonly<Record<CaseType, readonly CaseType[]>> = {
  directive: ['draft', 'research', 'pending', 'operation', 'deferred'],
  draft: ['draft', 'research', 'pending', 'operation', 'deferred'],
  research: ['draft'],
  pending: [],
  deferred: [],
  operation: ['task', 'research', 'pending'],
  task: ['discovery'],
  discovery: [],
}

/** Types that exist only under a parent. */
export const NEEDS_PARENT: readonly CaseType[] = ['task', 'discovery']

export function isCaseType(word: string): word is CaseType {
  return Object.hasOwn(CASE_TYPES, word)
}

/** Every type that may be the parent of `child`. */
export function parentsFor(child: CaseType): CaseType[] {
  return (Object.keys(CHILDREN) as CaseType[]).filter((type) => CHILDREN[type].includes(child))
}

/** The type with its article: `a task`, `an operation`. */
export function withArticle(type: CaseType): string {
  return `${type.startsWith('o') ? 'an' : 'a'} ${type}`
}
