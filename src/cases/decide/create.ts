import type { Case, CaseId, CaseType, Status } from '../case.ts'
import { CASE_TYPES, CHILDREN, NEEDS_PARENT, parentsFor, withArticle } from '../case-types.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion } from '../change.ts'
import { formatId } from '../ids.ts'
import { type Metadata, metadataFault } from '../metadata.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { firstStatus } from '../statuses.ts'
import type { CaseView } from '../view.ts'
import { findLive, isRefusal } from './find.ts'

/** Long enough for a directive of many pages; longer text belongs in a spec file. */
const CONTENT_LENGTH_MAX = 65_536
const NOT_BLANK = /\S/
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,63}$/u

/** Up to this length, comparing each pair costs less than building a set. */
const DISTINCT_BY_SIGHT_MAX = 8

type Create = CommandOf<'create'>

/** The first history entry of a new case, by type. */
const BIRTHS = Object.fromEntries(
  (Object.keys(CASE_TYPES) as CaseType[]).map((type) => [type, { to: { type, status: firstStatus(type) } }]),
) as Record<CaseType, { to: { type: CaseType; status: Status } }>

export function decideCreate(view: CaseView, command: Create, occasion: Occasion): Decision {
  const metadata = metadataOf(command, occasion)
  const refusal =
    contentFault(command.content) ??
    tagsFault(command.tags) ??
    parentFault(view, command) ??
    metadataRefusal(command, metadata) ??
    dependencyFault(view, command)
  if (refusal) return refusal

  const prefix = occasion.prefixOf(command.type)
  const id = formatId(prefix, view.nextNumber(prefix))
  const status = firstStatus(command.type)
  const after: { -readonly [Key in keyof Case]: Case[Key] } = {
    id,
    rev: 1,
    type: command.type,
    status,
    content: command.content.trim(),
    parentId: command.parentId ?? null,
    createdAt: occasion.now,
    updatedAt: occasion.now,
    metadata,
    uid: occasion.newUid(),
  }
  if (command.dependsOn && command.dependsOn.length > 0) after.dependsOn = distinct(command.dependsOn)
  if (command.tags && command.tags.length > 0) after.tags = distinct(command.tags)
  if (command.specRef) after.specRef = command.specRef
  return accept({
    after,
    entries: [entryOf(occasion, 'update', 'created', BIRTHS[command.type])],
  })
}

/** Returns the list itself when it has no duplicates, the usual case. */
function distinct(words: readonly string[]): readonly string[] {
  const once = words.length <= DISTINCT_BY_SIGHT_MAX && words.every((word, i) => words.indexOf(word) === i)
  return once ? words : [...new Set(words)]
}

function metadataOf(command: Create, occasion: Occasion): Metadata {
  const given = command.metadata ?? {}
  if (command.type === 'discovery') {
    return { sourceTaskId: command.parentId, sourceAgentId: occasion.by, validated: false, ...given }
  }
  return given
}

export function contentFault(content: unknown): Refusal | undefined {
  if (typeof content !== 'string' || !NOT_BLANK.test(content)) {
    return refuse('MissingRequired', 'a case needs its content', 'say what it is about: --content TEXT')
  }
  if (content.length > CONTENT_LENGTH_MAX) {
    return refuse(
      'InvalidValue',
      `the content has ${content.length} characters; at most ${CONTENT_LENGTH_MAX} are kept in a case`,
      'put long text into the spec and refer to it',
    )
  }
  return undefined
}

export function tagsFault(tags: readonly string[] | undefined): Refusal | undefined {
  const bad = tags?.find((tag) => !TAG.test(tag))
  if (bad === undefined) return undefined
  return refuse(
    'InvalidValue',
    `${JSON.stringify(bad)} cannot be a tag`,
    'a tag has up to 64 letters, digits and . _ : / - and begins with a letter or digit',
  )
}

function parentFault(view: CaseView, { type, parentId }: Create): Refusal | undefined {
  if (parentId === undefined || parentId === null) {
    if (!NEEDS_PARENT.includes(type)) return undefined
    const parents = parentsFor(type).join(' or ')
    return refuse(
      'MissingRequired',
      `${withArticle(type)} exists only under a parent`,
      `name a case of type ${parents}: --parent ID`,
    )
  }
  const parent = findLive(view, parentId)
  if (isRefusal(parent)) return parent
  const allowed = CHILDREN[parent.type]
  if (!allowed.includes(type)) {
    return refuse(
      'InvalidTransition',
      `${withArticle(parent.type)} cannot have ${withArticle(type)} as a child`,
      allowed.length > 0
        ? `${parentId} can have: ${allowed.join(', ')}`
        : `${withArticle(parent.type)} has no children; ${withArticle(type)} can stand under: ${parentsFor(type).join(', ') || 'nothing'}`,
    )
  }
  if (parent.status === 'done' && type === 'task') {
    return refuse(
      'InvalidStatus',
      `${parentId} is done; it takes no more tasks`,
      'create a new operation for further work',
    )
  }
  return undefined
}

function metadataRefusal(command: Create, metadata: Metadata): Refusal | undefined {
  if (command.metadata === undefined && command.type !== 'discovery') return undefined
  if (command.type === 'discovery' && metadata.scope === undefined) {
    return refuse(
      'MissingRequired',
      'a discovery needs its scope',
      'for its agent: --meta scope=local; for all agents: --meta scope=global',
    )
  }
  const fault = metadataFault(command.type, metadata)
  return fault === undefined
    ? undefined
    : refuse('InvalidValue', fault, `see the fields of ${withArticle(command.type)}`)
}

/** A new case has no dependents, so only its own lineage can close a circle. */
function dependencyFault(view: CaseView, command: Create): Refusal | undefined {
  const { dependsOn, parentId } = command
  if (!dependsOn) return undefined
  for (const on of dependsOn) {
    const target = findLive(view, on)
    if (isRefusal(target)) return target
  }
  for (const on of dependsOn) {
    const path = lineagePath(view, command, on)
    if (path) {
      return refuse(
        'CIRCULAR_DEPENDENCY',
        `a case under ${parentId} cannot wait for ${on}: ${path.join(' → ')}`,
        'leave this dependency out, or place the case under another parent',
        path,
      )
    }
  }
  return undefined
}

/**
 * An operation ends after its tasks, which start after the questions beside it: neither may wait for that
 * end.
 */
function lineagePath(
  view: CaseView,
  { parentId = null, type }: Create,
  on: CaseId,
): readonly CaseId[] | undefined {
  if (parentId === null || view.get(parentId)?.type !== 'operation') return undefined
  const path = view.waitPath(on, parentId, type === 'task' ? 'end' : 'gate')
  return path && [parentId, `the new ${type}`, ...path]
}
