import type { Case, CaseId, HistoryEntry, SpecRef } from './case.ts'
import type { CaseIndex } from './case-index.ts'
import { type Change, entryOf, type Occasion, revise } from './change.ts'
import type { CaseCommand, NewCase } from './command.ts'
import { decide, type SimpleCommand } from './decide.ts'
import type { Metadata } from './metadata.ts'
import { type Refusal, refuse } from './refusal.ts'
import { settleOperation } from './settle-operation.ts'

/** What a batch did to one case: one revision, for any number of steps. */
export interface Applied {
  readonly before: Case | undefined
  readonly after: Case
  readonly entries: readonly HistoryEntry[]
}

export interface Executed {
  readonly kind: 'accepted'
  /** In the order in which the cases were first touched. */
  readonly applied: readonly Applied[]
  /** The ids that the names of the batch stand for. */
  readonly names: Readonly<Record<string, CaseId>>
  /** Ids of the new cases, in the order of the commands. */
  readonly created: readonly CaseId[]
}

/** Commands that a single batch may hold. */
const BATCH_COMMANDS_MAX = 20_000

/**
 * Applies all commands to the index, or none: the first refusal undoes the earlier ones.
 * Every command sees what the earlier ones did.
 */
export function execute(
  index: CaseIndex,
  commands: readonly CaseCommand[],
  occasion: Occasion,
): Executed | Refusal {
  if (commands.length > BATCH_COMMANDS_MAX) {
    return refuse(
      'InvalidValue',
      `${commands.length} commands are too many for one batch`,
      `at most ${BATCH_COMMANDS_MAX} count together`,
    )
  }
  const batch = new Batch(index, occasion)
  try {
    for (const command of commands) {
      const refusal = batch.run(command)
      if (!refusal) continue
      batch.undo()
      return refusal
    }
  } catch (error) {
    // A malformed command is a fault of its sender; the other clients must not see half of its batch.
    batch.undo()
    throw error
  }
  return batch.result()
}

const NO_NAMES: Executed['names'] = Object.freeze({})

/** Up to this number of cases, a linear search is cheaper than a map. */
const SOUGHT_IN_TURN_MAX = 4

interface Touched {
  readonly before: Case | undefined
  after: Case
  entries: readonly HistoryEntry[]
}

class Batch {
  readonly #index: CaseIndex
  readonly #occasion: Occasion
  /** In the order in which the cases were first touched. */
  #touched: Touched[] = []
  /** Index of the touched cases, built only when they are many; most batches touch one or two. */
  #places: Map<CaseId, Touched> | undefined
  /** Most batches name nothing. */
  #names: Map<string, CaseId> | undefined
  #created: CaseId[] = []

  constructor(index: CaseIndex, occasion: Occasion) {
    this.#index = index
    this.#occasion = occasion
  }

  run(command: CaseCommand): Refusal | undefined {
    if (command.kind === 'split') return this.#split(command)
    const resolved = this.#resolve(command)
    if (resolved.kind === 'refused') return resolved
    const decision = decide(this.#index, resolved, this.#occasion)
    if (decision.kind === 'refused') return decision
    for (const change of decision.changes) this.#apply(change)
    if (resolved.kind === 'create') this.#name(resolved.as)
    for (const change of decision.changes) this.#settle(change.after)
    return undefined
  }

  #split({ id, children, reason }: Extract<CaseCommand, { kind: 'split' }>): Refusal | undefined {
    if (children.length === 0) {
      return refuse(
        'MissingRequired',
        `a split of ${id} needs children`,
        'give at least one child with type and content',
      )
    }
    const first = this.#created.length
    for (const child of children) {
      const refusal = this.run({ ...child, kind: 'create', parentId: id })
      if (refusal) return refusal
    }
    const after = this.#index.get(this.#idOf(id) ?? id)
    if (!after)
      return refuse('NotFound', `there is no case ${id}`, '"axiom case list" shows the cases there are')
    const childIds = this.#created.slice(first)
    this.#apply({
      after: revise(after, this.#occasion, {}),
      entries: [entryOf(this.#occasion, 'split', reason, { childIds })],
    })
    return undefined
  }

  #apply({ after, entries }: Change): void {
    const touched = this.#touchedBefore(after.id)
    // A first revision has no earlier state, so the lookup is skipped.
    const before = touched ? touched.before : after.rev === 1 ? undefined : this.#index.get(after.id)
    const rev = (before?.rev ?? 0) + 1
    const revised = after.rev === rev ? after : { ...after, rev }
    this.#index.put(revised, entries)
    if (touched) {
      touched.after = revised
      touched.entries = [...touched.entries, ...entries]
      return
    }
    const first = { before, after: revised, entries }
    this.#touched = appended(this.#touched, first)
    this.#places?.set(after.id, first)
    if (!before) this.#created = appended(this.#created, after.id)
  }

  #touchedBefore(id: CaseId): Touched | undefined {
    if (!this.#places && this.#touched.length > SOUGHT_IN_TURN_MAX) {
      this.#places = new Map(this.#touched.map((touched) => [touched.after.id, touched]))
    }
    if (this.#places) return this.#places.get(id)
    for (const touched of this.#touched) if (touched.after.id === id) return touched
    return undefined
  }

  /** Updates the operation of a changed task, or a changed operation itself, to match its tasks. */
  #settle(changed: Case): void {
    const id = changed.type === 'operation' ? changed.id : changed.parentId
    const operation = id === null ? undefined : this.#index.get(id)
    if (operation?.type !== 'operation' || this.#index.heldBy(operation.id) !== undefined) return
    const current = this.#index.get(changed.id) ?? changed
    const change = settleOperation(this.#index, operation, current, this.#occasion)
    if (change) this.#apply(change)
  }

  #name(name: string | undefined): void {
    const id = this.#created.at(-1)
    if (name === undefined || id === undefined) return
    this.#names ??= new Map()
    this.#names.set(name, id)
  }

  #idOf(word: CaseId): CaseId | undefined {
    return word.startsWith('$') ? this.#names?.get(word.slice(1)) : word
  }

  /** The command with its names replaced by the ids they stand for. */
  #resolve(command: SimpleCommand): SimpleCommand | Refusal {
    const names = namesIn(command)
    if (names.length === 0 && !namesSpecFile(command)) return command
    const unknown = names.find((word) => this.#idOf(word) === undefined)
    if (unknown !== undefined) {
      return refuse(
        'NotFound',
        `nothing in this batch is named ${unknown.slice(1)}`,
        'a name counts from the case that was given it on',
      )
    }
    const id = (word: CaseId) => this.#idOf(word) ?? word
    if (command.kind === 'create') {
      return {
        ...command,
        ...this.#specFilesOf(command),
        ...(command.parentId ? { parentId: id(command.parentId) } : {}),
        ...(command.dependsOn ? { dependsOn: command.dependsOn.map(id) } : {}),
      }
    }
    if (command.kind === 'update') return { ...command, ...this.#specFilesOf(command), id: id(command.id) }
    return 'on' in command
      ? { ...command, id: id(command.id), on: id(command.on) }
      : { ...command, id: id(command.id) }
  }

  /** A spec is named for its directive, whose id the sender of the batch cannot know: `specs/${name}.md`. */
  #specFilesOf({ specRef, metadata }: { specRef?: SpecRef | null; metadata?: Metadata }): {
    specRef?: SpecRef
    metadata?: Metadata
  } {
    const named = (path: string) =>
      path.replace(/\$\{([^}]*)\}/g, (word, name: string) => this.#names?.get(name) ?? word)
    return {
      ...(specRef ? { specRef: { ...specRef, specFile: named(specRef.specFile) } } : {}),
      ...(typeof metadata?.specFile === 'string'
        ? { metadata: { ...metadata, specFile: named(metadata.specFile) } }
        : {}),
    }
  }

  undo(): void {
    for (const { before, after, entries } of this.#touched.toReversed()) {
      const length = this.#index.history(after.id).length - entries.length
      this.#index.undo(before, this.#index.get(after.id) ?? after, length)
    }
  }

  result(): Executed {
    return {
      kind: 'accepted',
      applied: this.#touched,
      names: this.#names ? Object.fromEntries(this.#names) : NO_NAMES,
      created: this.#created,
    }
  }
}

/** Appends an item. The first gets an exact-size list: pushing to an empty one reserves seventeen places. */
function appended<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item]
  list.push(item)
  return list
}

function namesIn(command: SimpleCommand): readonly string[] {
  if (command.kind !== 'create') return namesAmong([command.id, 'on' in command ? command.on : ''])
  const { parentId, dependsOn = NO_WORDS } = command as NewCase
  return dependsOn.length === 0 && !parentId?.startsWith('$')
    ? NO_WORDS
    : namesAmong([parentId ?? '', ...dependsOn])
}

const NO_WORDS: readonly string[] = Object.freeze([])

function namesAmong(words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith('$'))
}

function namesSpecFile(command: SimpleCommand): boolean {
  const { specRef, metadata } = command as Partial<NewCase>
  return specRef !== undefined || metadata?.specFile !== undefined
}
