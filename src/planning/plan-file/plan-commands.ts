import type { SpecRef } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import type { Metadata } from '../../cases/metadata.ts'
import type { Covered } from './find-covered.ts'
import type { Plan, PlannedOperation, PlannedTask } from './plan.ts'

/**
 * The directive's name in the batch; names from `nameOfKey` for the plan's own keys never collide with it.
 */
export const DIRECTIVE_NAME = 'directive'
const SPEC_FILE = `specs/\${${DIRECTIVE_NAME}}.md`
/** The need is the content of its case; the metadata holds a copy only if it is at most this long. */
const JTBD_LENGTH_MAX = 1_024

export function nameOfKey(key: string): string {
  return `key:${key}`
}

/**
 * The cases of a plan as one batch, so that all or none are created: first every case in the order of the
 * file, then the dependencies, which may point forward.
 */
export function planCommands(plan: Plan, covered: Covered, specDigest: string): CaseCommand[] {
  const edges: CaseCommand[] = []
  const depend = ({ key, dependsOn }: PlannedOperation | PlannedTask) => {
    for (const on of new Set(dependsOn))
      edges.push({ kind: 'depend', id: `$${nameOfKey(key)}`, on: `$${nameOfKey(on)}` })
  }
  const commands = directiveCommands(plan, specDigest)
  for (const operation of plan.operations) {
    commands.push(createOperation(operation, covered))
    depend(operation)
    for (const task of operation.tasks) {
      commands.push(createTask(task, operation, covered))
      depend(task)
    }
  }
  return [...commands, ...edges]
}

function directiveCommands({ need }: Plan, specDigest: string): CaseCommand[] {
  const metadata = need.length > JTBD_LENGTH_MAX ? {} : { jtbd: need }
  return [
    { kind: 'create', type: 'directive', content: need, metadata, as: DIRECTIVE_NAME },
    {
      kind: 'update',
      id: `$${DIRECTIVE_NAME}`,
      metadata: { specFile: SPEC_FILE, specDigest },
      reason: 'planned from a file',
    },
  ]
}

function createOperation(operation: PlannedOperation, covered: Covered): CaseCommand {
  const { key, content, acceptanceCriteria, tags, tasks } = operation
  const fileHints = [...new Set(tasks.flatMap(({ files }) => files))]
  return {
    kind: 'create',
    type: 'operation',
    content,
    parentId: `$${DIRECTIVE_NAME}`,
    tags,
    metadata: { key, ...filled({ acceptanceCriteria, fileHints }), ...moreRegions(key, covered) },
    ...specRefOf(key, covered),
    as: nameOfKey(key),
  }
}

function createTask(task: PlannedTask, parent: PlannedOperation, covered: Covered): CaseCommand {
  const { key, content, acceptanceCriteria, tags, files, verify } = task
  return {
    kind: 'create',
    type: 'task',
    content,
    parentId: `$${nameOfKey(parent.key)}`,
    tags,
    metadata: {
      key,
      ...filled({ acceptanceCriteria, fileHints: files, verify }),
      ...moreRegions(key, covered),
    },
    ...specRefOf(key, covered),
    as: nameOfKey(key),
  }
}

function filled(lists: Readonly<Record<string, readonly string[]>>): Metadata {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

function specRefOf(key: string, { ranges }: Covered): { specRef?: SpecRef } {
  const [first] = ranges.get(key) ?? []
  return first ? { specRef: { specFile: SPEC_FILE, ...first } } : {}
}

/** A case refers to one region; its further regions in the same document are in the metadata. */
function moreRegions(key: string, { ranges }: Covered): Metadata {
  const [, ...more] = ranges.get(key) ?? []
  return more.length > 0 ? { moreRegions: more } : {}
}
