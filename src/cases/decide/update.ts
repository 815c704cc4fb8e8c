import type { Case } from '../case.ts'
import { withArticle } from '../case-types.ts'
import { accept, type CommandOf, type Decision, entryOf, type Occasion, revise } from '../change.ts'
import { type Metadata, metadataFault } from '../metadata.ts'
import { refuse } from '../refusal.ts'
import type { CaseView } from '../view.ts'
import { contentFault, tagsFault } from './create.ts'
import { findLive, isRefusal, staleFence } from './find.ts'

export function decideUpdate(view: CaseView, command: CommandOf<'update'>, occasion: Occasion): Decision {
  const before = findLive(view, command.id)
  if (isRefusal(before)) return before
  const refusal =
    staleFence(before, command.fence) ??
    (command.content === undefined ? undefined : contentFault(command.content)) ??
    tagsFault(command.tags)
  if (refusal) return refusal

  const metadata = command.metadata ? merge(before.metadata, command.metadata) : before.metadata
  const fault = command.metadata ? metadataFault(before.type, metadata) : undefined
  if (fault !== undefined)
    return refuse('InvalidValue', fault, `see the fields of ${withArticle(before.type)}`)

  const changed = changedFields(command)
  if (changed.length === 0) {
    return refuse(
      'MissingRequired',
      'nothing to change was given',
      'give content, tags, metadata or a spec region',
    )
  }
  const after = revise(before, occasion, {
    content: command.content?.trim() ?? before.content,
    tags: command.tags ? emptyToNone([...new Set(command.tags)]) : before.tags,
    metadata,
    specRef: command.specRef === undefined ? before.specRef : (command.specRef ?? undefined),
  })
  const reason = command.reason ?? `changed ${changed.join(', ')}`
  return accept({ after, entries: [entryOf(occasion, 'update', reason)] })
}

function changedFields(command: CommandOf<'update'>): string[] {
  return (['content', 'tags', 'metadata', 'specRef'] as const).filter((key) => command[key] !== undefined)
}

export function merge(before: Metadata, patch: Metadata): Metadata {
  const merged: Record<string, unknown> = { ...before, ...patch }
  for (const [key, value] of Object.entries(patch)) if (value === null) delete merged[key]
  return merged
}

export function emptyToNone<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}

/** Metadata with fields of a task's execution replaced. */
export function withExecution(subject: Case, fields: Record<string, unknown>): Metadata {
  const execution = (subject.metadata.execution ?? {}) as Record<string, unknown>
  return { ...subject.metadata, execution: { ...execution, ...fields } }
}
