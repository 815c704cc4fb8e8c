import { checkConsistency } from './check-consistency.ts'
import { type ConfigProblem, dropWrongValues } from './drop-wrong-values.ts'
import { migrateConfig } from './migrate-config.ts'
import { listOptions, type Option } from './options.ts'
import { readVariables } from './read-variables.ts'
import { type Config, configSchema } from './schema.ts'
import { isObject, type JsonObject, parsePath, valueAt, withValueAt } from './value-path.ts'

export type Origin =
  | { readonly source: 'flag' }
  | { readonly source: 'environment'; readonly variable: string }
  | { readonly source: 'file' }
  | { readonly source: 'default' }

export interface ConfigLayers {
  /** The parsed file, or undefined when there is none. */
  readonly file?: unknown
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Option → value, as the flags of a command gave it. */
  readonly flags?: Readonly<Record<string, unknown>>
}

export interface ResolvedConfig {
  readonly config: Config
  readonly problems: readonly ConfigProblem[]
  originOf(key: string): Origin
}

/**
 * Merges the layers: flag over variable over file over default. An invalid value falls back to the layer
 * below.
 */
export function resolveConfig({ file, env = {}, flags = {} }: ConfigLayers): ResolvedConfig {
  const migrated = migrateConfig(file === undefined ? {} : file)
  const fromFile = dropWrongValues(migrated.raw)
  const fromEnv = readVariables(env)
  const fromFlags = dropWrongValues(
    Object.entries(flags).reduce<JsonObject>(
      (root, [key, value]) => withValueAt(root, parsePath(key), value) as JsonObject,
      {},
    ),
  )
  const layers = [fromFile.value, fromEnv.value, fromFlags.value]
  const config = configSchema.parse(layers.reduce(overlay, {}))
  const problems = [
    ...newerFile(migrated.newer),
    ...fromFile.problems,
    ...fromEnv.problems,
    ...fromFlags.problems,
    ...checkConsistency(config),
  ]
  return { config, problems, originOf: (key) => originOf(key, layers) }
}

/** An option is replaced as a whole: a list from a variable is not merged with the list of the file. */
function overlay(below: JsonObject, above: JsonObject): JsonObject {
  const meta = Object.fromEntries(
    Object.entries(above).filter(([key]) => key === '$schema' || key === 'version'),
  )
  return listOptions().reduce<JsonObject>(
    (root, { key }) => {
      const value = valueAt(above, parsePath(key))
      return value === undefined ? root : (withValueAt(root, parsePath(key), value) as JsonObject)
    },
    { ...below, ...meta },
  )
}

function originOf(key: string, [file, env, flags]: readonly JsonObject[]): Origin {
  const path = parsePath(key)
  const option = optionOf(key)
  const whole = option ? parsePath(option.key) : path
  if (hasValue(flags, whole)) return { source: 'flag' }
  if (option && hasValue(env, whole)) return { source: 'environment', variable: option.variable }
  if (hasValue(file, path)) return { source: 'file' }
  return { source: 'default' }
}

function hasValue(layer: JsonObject | undefined, path: readonly (string | number)[]): boolean {
  const value = valueAt(layer, path)
  return value !== undefined && !(isObject(value) && Object.keys(value).length === 0)
}

/** The option that a key names or is part of. */
export function optionOf(key: string): Option | undefined {
  const path = parsePath(key)
  return listOptions().find((option) => parsePath(option.key).every((step, i) => step === path[i]))
}

function newerFile(version: number | undefined): ConfigProblem[] {
  if (version === undefined) return []
  const message = `the file was written by a newer AXIOM (version ${version}); what this one does not know is ignored`
  return [{ code: 'CONFIG_SCHEMA_ERROR', key: 'version', message }]
}
