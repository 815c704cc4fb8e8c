import type { Command } from 'commander'
import type { CaseType, Status } from '../../../cases/case.ts'
import { CASE_TYPES } from '../../../cases/case-types.ts'
import type { CaseCommand } from '../../../cases/command.ts'
import { STATUS_SYMBOLS } from '../../../cases/statuses.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Committed, Store } from '../../../store/store.ts'
import { collect, oneOf, parseWhole, readFileArgument } from '../../arguments.ts'
import { type Context, print } from '../../context.ts'
import { refused, withStore } from '../../project.ts'
import { caseJson } from '../../render/case-json.ts'
import { caseLine } from '../../render/case-text.ts'
import { printCase } from './queries.ts'
import { parseSplit } from './split-file.ts'

const TYPES = Object.keys(CASE_TYPES) as CaseType[]
const STATUSES = Object.keys(STATUS_SYMBOLS) as Status[]

interface Contents {
  content?: string
  criterion?: string[]
  depends?: string[]
  tag?: string[]
  meta?: string[]
}

export function defineCaseChanges(command: Command, context: () => Context): void {
  defineCreation(command, context)
  defineMoves(command, context)
  command
    .command('depend <id> <on>')
    .description('let a case wait for another')
    .action((id: string, on: string) => change(context(), 'depend', id, { kind: 'depend', id, on }))
  command
    .command('undepend <id> <on>')
    .description('take such a dependency back')
    .action((id: string, on: string) => change(context(), 'undepend', id, { kind: 'undepend', id, on }))
  command
    .command('delete <id>')
    .description('mark a case as deleted; its text and history stay')
    .requiredOption('--reason <text>', 'why')
    .option('--cascade', 'everything under it, too')
    .action((id: string, { reason, cascade }: { reason: string; cascade?: boolean }) =>
      change(context(), 'delete', id, { kind: 'delete', id, reason, cascade: cascade === true }),
    )
}

function withContents(command: Command): Command {
  return command
    .option('--criterion <text>', 'an acceptance criterion; may be repeated', collect)
    .option('--tag <tag>', 'a tag; may be repeated', collect)
    .option('--meta <key=json>', 'a field of the metadata; may be repeated', collect)
}

function defineCreation(command: Command, context: () => Context): void {
  withContents(command.command('create'))
    .description('create a case')
    .requiredOption('--type <type>', TYPES.join(', '), oneOf(TYPES))
    .requiredOption('--content <text>', 'what it is about')
    .option('--parent <id>', 'the case it belongs to')
    .option('--depends <id>', 'a case that must be done first; may be repeated', collect)
    .action((options: Contents & { type: CaseType; content: string; parent?: string }) =>
      create(context(), options),
    )
  withContents(command.command('update <id>'))
    .description('change what a case says')
    .option('--content <text>', 'what it is about')
    .option('--status <status>', `move it to this status: ${STATUSES.join(', ')}`, oneOf(STATUSES))
    .option('--reason <text>', 'why')
    .option('--fence <n>', 'only under this claim', parseWhole)
    .action((id: string, options: Contents & { status?: Status; reason?: string; fence?: number }) =>
      update(context(), id, options),
    )
  command
    .command('split <id>')
    .description('give a case children')
    .requiredOption(
      '--from <file>',
      'JSON: [{"type", "content", "key"?, "dependsOn"?, "acceptanceCriteria"?, "tags"?}, …]',
    )
    .option('--reason <text>', 'why', 'split')
    .action((id: string, { from, reason }: { from: string; reason: string }) =>
      split(context(), id, from, reason),
    )
}

function defineMoves(command: Command, context: () => Context): void {
  command
    .command('complete <id>')
    .description('make a case done by hand')
    .option('--result <text>', 'what came of it')
    .option('--fence <n>', 'only under this claim', parseWhole)
    .action((id: string, { result, fence }: { result?: string; fence?: number }) =>
      change(context(), 'complete', id, {
        kind: 'complete',
        id,
        ...(result === undefined ? {} : { result }),
        ...(fence === undefined ? {} : { fence }),
      }),
    )
  command
    .command('block <id>')
    .description('mark a case as blocked')
    .requiredOption('--reason <text>', 'what it waits for')
    .action((id: string, { reason }: { reason: string }) =>
      change(context(), 'block', id, { kind: 'move', id, status: 'blocked', reason }),
    )
  command
    .command('defer <id>')
    .description('put a case off')
    .option('--reason <text>', 'why', 'deferred')
    .action((id: string, { reason }: { reason: string }) =>
      change(context(), 'defer', id, { kind: 'transition', id, type: 'deferred', reason }),
    )
  command
    .command('transition <id> <type>')
    .description('turn a case into another type')
    .requiredOption('--reason <text>', 'why')
    .action((id: string, type: string, { reason }: { reason: string }) =>
      change(context(), 'transition', id, { kind: 'transition', id, type: oneOf(TYPES)(type), reason }),
    )
}

export async function commit(
  store: Store,
  commands: readonly CaseCommand[],
  by = 'user',
): Promise<Committed> {
  const outcome = await store.transact({ commands, by })
  if (outcome.kind === 'refused') throw refused(outcome)
  if (outcome.kind === 'stale')
    throw new Failure('STORE_BUSY', 'someone else was quicker', { hint: 'try again' })
  return outcome
}

function change(
  context: Context,
  name: string,
  id: string,
  ...commands: readonly CaseCommand[]
): Promise<void> {
  return withStore(context, `case ${name}`, async (store) => {
    await commit(store, commands)
    await printCase(context, store, id)
  })
}

function create(
  context: Context,
  options: Contents & { type: CaseType; content: string; parent?: string },
): Promise<void> {
  const metadata = metadataFrom(options)
  return withStore(context, 'case create', async (store) => {
    const { created } = await commit(store, [
      {
        kind: 'create',
        type: options.type,
        content: options.content,
        ...(options.parent === undefined ? {} : { parentId: options.parent }),
        ...(options.depends ? { dependsOn: options.depends } : {}),
        ...(options.tag ? { tags: options.tag } : {}),
        ...(metadata ? { metadata } : {}),
      },
    ])
    await printCase(context, store, created[0] ?? '')
  })
}

function update(
  context: Context,
  id: string,
  options: Contents & { status?: Status; reason?: string; fence?: number },
): Promise<void> {
  const metadata = metadataFrom(options)
  const { content, tag, status, reason, fence } = options
  const fenced = { ...(fence === undefined ? {} : { fence }) }
  const commands: CaseCommand[] = []
  if (content !== undefined || tag || metadata || status === undefined) {
    commands.push({
      kind: 'update',
      id,
      ...(content === undefined ? {} : { content }),
      ...(tag ? { tags: tag } : {}),
      ...(metadata ? { metadata } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...fenced,
    })
  }
  if (status !== undefined)
    commands.push({ kind: 'move', id, status, reason: reason ?? 'moved by hand', ...fenced })
  return change(context, 'update', id, ...commands)
}

function metadataFrom({ criterion, meta }: Contents): Record<string, unknown> | undefined {
  if (!criterion && !meta) return undefined
  return {
    ...(criterion ? { acceptanceCriteria: criterion } : {}),
    ...Object.fromEntries((meta ?? []).map(parseField)),
  }
}

function parseField(field: string): [string, unknown] {
  const at = field.indexOf('=')
  if (at <= 0)
    throw new Failure('USAGE', `${field} is not KEY=JSON`, { hint: 'such as --meta scope=\'"global"\'' })
  const text = field.slice(at + 1)
  try {
    return [field.slice(0, at), JSON.parse(text)]
  } catch {
    return [field.slice(0, at), text]
  }
}

function split(context: Context, id: string, file: string, reason: string): Promise<void> {
  const children = parseSplit(readFileArgument(file))
  return withStore(context, 'case split', async (store) => {
    const { created } = await commit(store, [{ kind: 'split', id, children, reason }])
    const records = await store.query({ ids: created })
    print(
      context,
      records.map((record) => caseJson(record)),
      () => records.map((record) => caseLine(context.colors, record)).join('\n'),
    )
  })
}
