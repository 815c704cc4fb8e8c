import type { Command } from 'commander'
import type { CaseType, Status } from '../../../cases/case.ts'
import { CASE_TYPES } from '../../../cases/case-types.ts'
import { STATUS_SYMBOLS } from '../../../cases/statuses.ts'
import { Failure } from '../../../platform/failure.ts'
import type { CaseRecord, Store } from '../../../store/store.ts'
import { oneOf, parseWhole } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { withStore } from '../../project.ts'
import { caseJson } from '../../render/case-json.ts'
import { caseDetail, caseLine, caseTree, historyText } from '../../render/case-text.ts'

const TYPES = Object.keys(CASE_TYPES) as CaseType[]
const STATUSES = Object.keys(STATUS_SYMBOLS) as Status[]

export function defineCaseQueries(command: Command, context: () => Context): void {
  command
    .command('list')
    .description('the cases, in the order of their ids')
    .option('--type <type>', `only of this type: ${TYPES.join(', ')}`, oneOf(TYPES))
    .option('--status <status>', `only with this status: ${STATUSES.join(', ')}`, oneOf(STATUSES))
    .option('--parent <id>', 'only the children of this case')
    .option('--deleted', 'deleted ones too')
    .action((options: { type?: CaseType; status?: Status; parent?: string; deleted?: boolean }) =>
      list(context(), options),
    )
  command
    .command('ready')
    .description('the tasks that can start now')
    .option('--limit <n>', 'at most this many', parseWhole)
    .action((options: { limit?: number }) => ready(context(), options))
  command
    .command('show <id>')
    .description('everything about one case')
    .action((id: string) => show(context(), id))
  command
    .command('tree [id]')
    .description('the lineage, of all or of one case')
    .action((id: string | undefined) => tree(context(), id))
  command
    .command('history <id>')
    .description('what happened to a case')
    .action((id: string) => history(context(), id))
}

export async function findCase(store: Store, id: string): Promise<CaseRecord> {
  const [record] = await store.query({ ids: [id] })
  if (record) return record
  throw new Failure('NotFound', `there is no case ${id}`, {
    hint: '"axiom case list" shows the cases there are',
  })
}

/** Prints one case after a command made or changed it. */
export async function printCase(context: Context, store: Store, id: string): Promise<void> {
  const record = await findCase(store, id)
  const entries = await store.history(id)
  print(context, caseJson(record, entries), () => caseLine(context.colors, record))
}

function list(
  context: Context,
  { type, status, parent, deleted }: { type?: CaseType; status?: Status; parent?: string; deleted?: boolean },
): Promise<void> {
  return withStore(context, 'case list', async (store) => {
    const records = await store.query({
      ...(type ? { type } : {}),
      ...(status ? { status } : {}),
      ...(parent ? { parentId: parent } : {}),
      ...(deleted ? { deleted } : {}),
    })
    print(
      context,
      records.map((record) => caseJson(record)),
      () =>
        lines(context, records) ||
        'No cases. Create one: axiom case create --type directive --content "When …, I want …, so that …"',
    )
  })
}

function ready(context: Context, { limit }: { limit?: number }): Promise<void> {
  return withStore(context, 'case ready', async (store) => {
    const records = await store.query({ ready: true, ...(limit === undefined ? {} : { limit }) })
    print(
      context,
      records.map((record) => caseJson(record)),
      () => lines(context, records) || 'Nothing is ready. "axiom case show ID" says what a task waits for.',
    )
  })
}

function lines(context: Context, records: readonly CaseRecord[]): string {
  return records.map((record) => caseLine(context.colors, record)).join('\n')
}

function show(context: Context, id: string): Promise<void> {
  return withStore(context, 'case show', async (store) => {
    const record = await findCase(store, id)
    const [entries, holds] = await Promise.all([store.history(id), store.explain(id)])
    const value = { ...caseJson(record, entries), ready: record.type === 'task' && holds === '', holds }
    print(context, value, () => caseDetail(context.colors, record, holds))
  })
}

function tree(context: Context, id: string | undefined): Promise<void> {
  return withStore(context, 'case tree', async (store) => {
    const records = await store.query({})
    const byParent = groupByParent(records)
    const known = new Set(records.map((record) => record.id))
    const roots =
      id === undefined
        ? records.filter(({ parentId }) => parentId === null || !known.has(parentId))
        : [await findCase(store, id)]
    const below = (parent: string) => byParent.get(parent) ?? []
    const nest = (record: CaseRecord): object => ({
      ...caseJson(record),
      children: below(record.id).map(nest),
    })
    print(context, roots.map(nest), () => caseTree(context.colors, roots, below) || 'No cases yet.')
  })
}

/** Node 20 has no `Map.groupBy`. */
function groupByParent(records: readonly CaseRecord[]): Map<string | null, CaseRecord[]> {
  const groups = new Map<string | null, CaseRecord[]>()
  for (const record of records) {
    const group = groups.get(record.parentId)
    if (group) group.push(record)
    else groups.set(record.parentId, [record])
  }
  return groups
}

function history(context: Context, id: string): Promise<void> {
  return withStore(context, 'case history', async (store) => {
    await findCase(store, id)
    const entries = await store.history(id)
    print(context, entries, () => historyText(context.colors, entries))
  })
}
