import type { Command } from 'commander'
import type { CaseType, Status } from '../../../cases/case.ts'
import { satisfactionOf } from '../../../cases/lineage.ts'
import { Failure } from '../../../platform/failure.ts'
import type { CaseRecord, Store } from '../../../store/store.ts'
import { oneOf, parseWhole } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { withStore } from '../../project.ts'
import { caseJson } from '../../render/case-json.ts'
import { caseDetail, caseLine, historyText } from '../../render/case-text.ts'
import { growTrees, treeJson, treeText } from '../../render/case-tree.ts'
import { STATUSES, TYPES } from './words.ts'

interface ListOptions {
  type?: CaseType
  status?: Status
  parent?: string
  deleted?: boolean
}

export function defineCaseQueries(command: Command, context: () => Context): void {
  const listing = command
    .command('list')
    .description('the cases, in the order of their ids')
    .option('--type <type>', `only of this type: ${TYPES.join(', ')}`, oneOf(TYPES))
    .option('--status <status>', `only with this status: ${STATUSES.join(', ')}`, oneOf(STATUSES))
    .option('--parent <id>', 'only the children of this case')
    .option('--deleted', 'deleted ones too')
    .action((options: ListOptions) => list(context(), options))
  withExamples(listing, 'axiom case list --type task --status active', 'axiom case list --json')
  const readiness = command
    .command('ready')
    .description('the tasks that can start now')
    .option('--limit <n>', 'at most this many', parseWhole)
    .action((options: { limit?: number }) => ready(context(), options))
  withExamples(readiness, 'axiom case ready', 'axiom case ready --limit 1 --json')
  const showing = command
    .command('show <id>')
    .description('everything about one case')
    .action((id: string) => show(context(), id))
  withExamples(showing, 'axiom case show task-001')
  const drawing = command
    .command('tree [id]')
    .description('the lineage, of all or of one case')
    .action((id: string | undefined) => tree(context(), id))
  withExamples(drawing, 'axiom case tree', 'axiom case tree op-001')
  const telling = command
    .command('history <id>')
    .description('what happened to a case')
    .action((id: string) => history(context(), id))
  withExamples(telling, 'axiom case history task-001')
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

function list(context: Context, { type, status, parent, deleted }: ListOptions): Promise<void> {
  return withStore(context, 'case list', async (store) => {
    if (parent !== undefined) await findCase(store, parent)
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
        (type || status || parent
          ? 'No such cases.'
          : 'No cases yet. Create one: axiom case create --type directive --content "When …, I want …, so that …"'),
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
    const satisfaction =
      record.type === 'directive' ? satisfactionOf(record, await store.query({})) : undefined
    const value = {
      ...caseJson(record, entries),
      ready: record.type === 'task' && holds === '',
      holds,
      ...(satisfaction === undefined ? {} : { satisfaction }),
    }
    print(context, value, () => caseDetail(context.colors, record, { history: entries, holds }))
  })
}

function tree(context: Context, id: string | undefined): Promise<void> {
  return withStore(context, 'case tree', async (store) => {
    const trees = growTrees(await store.query({}), id === undefined ? undefined : await findCase(store, id))
    print(context, trees.map(treeJson), () => treeText(context.colors, trees) || 'No cases yet.')
  })
}

function history(context: Context, id: string): Promise<void> {
  return withStore(context, 'case history', async (store) => {
    await findCase(store, id)
    const entries = await store.history(id)
    print(context, entries, () => historyText(context.colors, entries))
  })
}
