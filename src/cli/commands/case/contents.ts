import type { Command } from 'commander'
import type { CaseType, Status } from '../../../cases/case.ts'
import type { CaseCommand } from '../../../cases/command.ts'
import { Failure } from '../../../platform/failure.ts'
import { collect, oneOf, parseWhole, words } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { withStore } from '../../project.ts'
import { commit } from './commit.ts'
import { edit } from './edit.ts'
import { printCase } from './queries.ts'
import { STATUSES, TYPES } from './words.ts'

interface Contents {
  content?: string
  criterion?: string[]
  depends?: string[]
  tag?: string[]
  meta?: string[]
}

interface CreateOptions extends Contents {
  type: CaseType
  content: string
  parent?: string
}

interface UpdateOptions extends Contents {
  status?: Status
  reason?: string
  fence?: number
}

/** The commands that set the content of a case, on creation and later. */
export function defineCaseContents(command: Command, context: () => Context): void {
  const creation = withFields(command.command('create'))
    .description('create a case')
    .requiredOption('--type <type>', TYPES.join(', '), oneOf(TYPES))
    .requiredOption('--content <text>', 'what it is about')
    .option('--parent <id>', 'the case it belongs to')
    .option('--depends <id>', 'a case that must be done first; may be repeated', collect)
    .action((options: CreateOptions) => create(context(), options))
  withExamples(
    creation,
    'axiom case create --type operation --content "Users can log in"',
    'axiom case create --type task --parent op-001 --content "Login form" --criterion "A wrong password is refused"',
    'axiom case create --type discovery --parent task-001 --content "The parser is strict" --meta scope=global',
  )
  const updating = withFields(command.command('update <id>'))
    .description('change what a case says')
    .option('--content <text>', 'what it is about')
    .option('--status <status>', `move it to this status: ${STATUSES.join(', ')}`, oneOf(STATUSES))
    .option('--reason <text>', 'why', words)
    .option('--fence <n>', 'only under this claim', parseWhole)
    .action((id: string, options: UpdateOptions) => update(context(), id, options))
  withExamples(
    updating,
    'axiom case update task-001 --content "Login form with a captcha"',
    'axiom case update task-001 --status pending --reason "try again"',
  )
}

function withFields(command: Command): Command {
  return command
    .option('--criterion <text>', 'an acceptance criterion; may be repeated', collect)
    .option('--tag <tag>', 'a tag; may be repeated', collect)
    .option('--meta <key=json>', 'a field of the metadata; may be repeated', collect)
}

function create(context: Context, options: CreateOptions): Promise<void> {
  const given = metadataFrom(options)
  // A discovery concerns its own task unless `scope=global` says otherwise.
  const metadata = options.type === 'discovery' ? { scope: 'local', ...given } : given
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

function update(context: Context, id: string, options: UpdateOptions): Promise<void> {
  const metadata = metadataFrom(options)
  const { content, tag, status, reason, fence } = options
  const fenced = fence === undefined ? {} : { fence }
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
  return withStore(context, 'case update', async (store) => {
    await edit(store, id, commands)
    await printCase(context, store, id)
  })
}

function metadataFrom({ criterion, meta }: Contents): Record<string, unknown> | undefined {
  if (!criterion && !meta) return undefined
  return {
    ...(criterion ? { acceptanceCriteria: criterion } : {}),
    ...Object.fromEntries((meta ?? []).map(parseField)),
  }
}

/** A value that is not JSON is text: `scope=global` needs no quotes within quotes. */
function parseField(field: string): [string, unknown] {
  const at = field.indexOf('=')
  if (at <= 0)
    throw new Failure('USAGE', `${field} is not KEY=JSON`, {
      hint: 'such as --meta scope=global or --meta timeBox=2',
    })
  const text = field.slice(at + 1)
  try {
    return [field.slice(0, at), JSON.parse(text)]
  } catch {
    return [field.slice(0, at), text]
  }
}
