import type { Command } from 'commander'
import { suggestKey } from '../../config/drop-wrong-values.ts'
import { editConfig } from '../../config/edit-config.ts'
import { listOptions, schemaAt } from '../../config/options.ts'
import { writeConfigText } from '../../config/read-config-text.ts'
import type { Origin } from '../../config/resolve-config.ts'
import { configJsonSchema } from '../../config/schema.ts'
import { parsePath, valueAt } from '../../config/value-path.ts'
import { Failure } from '../../platform/failure.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { configPath, type LoadedConfig, loadConfig, readConfigFile, writeConfigFile } from '../load-config.ts'
import { findProject } from '../project.ts'

interface Entry {
  readonly key: string
  readonly value: unknown
  readonly source: Origin['source']
  /** The file or the variable that gave the value. */
  readonly from?: string
}

export function define(command: Command, context: () => Context): void {
  withExamples(
    command
      .command('get [key]')
      .description('print one value, or all, and where each comes from')
      .action((key?: string) => get(context(), key)),
    'axiom config get agents.maxConcurrent',
    'AXIOM_AGENTS_MAX_CONCURRENT=8 axiom config get',
  )
  withExamples(
    command
      .command('set <key> <value>')
      .description('check a value and write it to the file')
      .action((key: string, value: string) => set(context(), key, value)),
    'axiom config set agents.maxConcurrent 4',
    `axiom config set verification '["npm test"]'`,
  )
  withExamples(
    command
      .command('path')
      .description('print the path of the file')
      .action(() => path(context())),
    'axiom config path',
  )
  withExamples(
    command
      .command('schema')
      .description('print the JSON Schema of the file')
      .action(() => context().out(JSON.stringify(configJsonSchema(), null, 2))),
    'axiom config schema > config.schema.json',
  )
  withExamples(
    command,
    'axiom config get agents.maxConcurrent',
    `axiom config set verification '["npm test", {"name": "lint", "command": "npm run lint", "required": false}]'`,
  )
}

async function get(context: Context, key: string | undefined): Promise<void> {
  const loaded = await loadConfig(findProject(context.cwd).folder, { env: context.env })
  for (const warning of loaded.warnings) context.err(warning)
  if (key === undefined) {
    const entries = listOptions().map((option) => entryOf(loaded, option.key))
    print(context, entries, () => entries.map((entry) => showEntry(context, entry)).join('\n'))
    return
  }
  if (schemaAt(parsePath(key)) === undefined) throw unknownKey(key)
  const entry = entryOf(loaded, key)
  print(context, entry, () => showValue(entry.value))
  if (!context.json) context.err(context.colors.dim(showOrigin(entry)))
}

function entryOf(loaded: LoadedConfig, key: string): Entry {
  const value = valueAt(loaded.config, parsePath(key)) ?? null
  const origin = loaded.originOf(key)
  switch (origin.source) {
    case 'environment':
      return { key, value, source: origin.source, from: origin.variable }
    case 'file':
      return { key, value, source: origin.source, from: loaded.path }
    default:
      return { key, value, source: origin.source }
  }
}

function showEntry(context: Context, entry: Entry): string {
  return `${entry.key} = ${JSON.stringify(entry.value)}  ${context.colors.dim(`(${showOrigin(entry)})`)}`
}

function showOrigin({ source, from }: Entry): string {
  return from === undefined ? source : `${source} ${from}`
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function unknownKey(key: string): Failure {
  const meant = suggestKey(parsePath(key))
  return new Failure('CONFIG_UNKNOWN_KEY', `there is no option ${key}`, {
    hint: meant === undefined ? '`axiom config get` lists all options' : `did you mean ${meant}?`,
  })
}

async function set(context: Context, key: string, text: string): Promise<void> {
  const { folder } = findProject(context.cwd)
  const file = await readConfigFile(folder)
  for (const note of file.notes) context.err(note)
  const edit = editConfig(file.raw, key, text)
  if (edit.kind === 'refused') {
    throw new Failure(edit.code, edit.reason, {
      hint: 'nothing was changed; `axiom config get` lists all options',
    })
  }
  await writeConfigFile(folder, writeConfigText(edit.raw))
  const change = { key, before: edit.before ?? null, after: edit.after }
  print(context, change, () => `${key} = ${showValue(edit.after)}`)
  const { originOf } = await loadConfig(folder, { env: context.env })
  const origin = originOf(key)
  if (origin.source === 'environment') {
    context.err(`${origin.variable} is set and still wins over the file`)
  }
}

function path(context: Context): void {
  const file = configPath(findProject(context.cwd).folder)
  print(context, { path: file }, () => file)
}
