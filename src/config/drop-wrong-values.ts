import { describeAllowed, listOptions, namesAt, schemaAt } from './options.ts'
import { configSchema } from './schema.ts'
import { suggestName } from './suggest-name.ts'
import { isObject, type JsonObject, showPath, type ValuePath, valueAt, withoutValueAt } from './value-path.ts'

export interface ConfigProblem {
  readonly code: 'CONFIG_SCHEMA_ERROR' | 'CONFIG_UNKNOWN_KEY'
  /** `agents.maxConcurrent`. */
  readonly key: string
  readonly message: string
}

/**
 * Removing a value can expose the next fault of the same entry; after these rounds the file is not repaired.
 */
const ROUNDS_MAX = 20
const SHOWN_MAX_CHARACTERS = 60

interface Fault {
  readonly path: ValuePath
  readonly unknown: boolean
}

type Issue = NonNullable<ReturnType<typeof configSchema.safeParse>['error']>['issues'][number]

/** Keeps the valid part of a configuration and reports the rest; a dropped value takes its default. */
export function dropWrongValues(raw: unknown): { value: JsonObject; problems: ConfigProblem[] } {
  if (!isObject(raw)) {
    const message = `the file holds ${show(raw)}; allowed is an object`
    return { value: {}, problems: [{ code: 'CONFIG_SCHEMA_ERROR', key: '', message }] }
  }
  let value: JsonObject = raw
  const problems: ConfigProblem[] = []
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const faults = findFaults(value)
    if (faults.length === 0) return { value, problems }
    for (const fault of faults) {
      problems.push(describeFault(value, fault))
    }
    for (const { path } of faults.toReversed()) value = withoutValueAt(value, path) as JsonObject
  }
  const message = `more than ${ROUNDS_MAX} faults lie inside one another; all defaults are used`
  return { value: {}, problems: [...problems, { code: 'CONFIG_SCHEMA_ERROR', key: '', message }] }
}

/** Faults in the order of the file, none inside another, so that removing them from last to first is safe. */
function findFaults(value: JsonObject): Fault[] {
  const result = configSchema.safeParse(value)
  if (result.success) return []
  const faults = result.error.issues.flatMap((issue) => faultsOf(issue, [], value))
  const outermost = faults.filter(
    (fault, i) =>
      !faults.some(
        (other, j) =>
          i !== j && isPrefix(other.path, fault.path) && (other.path.length < fault.path.length || j < i),
      ),
  )
  return outermost.toSorted((a, b) => comparePaths(a.path, b.path))
}

function faultsOf(issue: Issue, prefix: ValuePath, value: JsonObject): Fault[] {
  const path = [...prefix, ...(issue.path as (string | number)[])]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], unknown: true }))
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find((branch) =>
      branch.every((one) => one.path.length > 0 || one.code === 'unrecognized_keys'),
    )
    if (inner) return inner.flatMap((one) => faultsOf(one as Issue, path, value))
  }
  const missing = valueAt(value, path) === undefined
  return [{ path: missing ? path.slice(0, -1) : path, unknown: false }]
}

function isPrefix(shorter: ValuePath, longer: ValuePath): boolean {
  return shorter.every((step, i) => step === longer[i])
}

function comparePaths(a: ValuePath, b: ValuePath): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]]
    if (typeof x === 'number' && typeof y === 'number' && x !== y) return x - y
    if (x !== y && String(x) !== String(y)) return String(x) < String(y) ? -1 : 1
  }
  return a.length - b.length
}

function describeFault(value: JsonObject, { path, unknown }: Fault): ConfigProblem {
  const key = showPath(path)
  if (unknown) {
    const hint = suggestKey(path)
    const message = `unknown key ${key} is ignored${hint === undefined ? '' : `; did you mean ${hint}?`}`
    return { code: 'CONFIG_UNKNOWN_KEY', key, message }
  }
  const found = show(valueAt(value, path))
  const message = `${key} is ${found}; allowed is ${describeAllowed(schemaAt(path))}; ${replacement(path)}`
  return { code: 'CONFIG_SCHEMA_ERROR', key, message }
}

function replacement(path: ValuePath): string {
  if (typeof path.at(-1) === 'number') return 'the entry is left out'
  const standard = schemaAt(path)?.default
  return standard === undefined ? 'it is left out' : `the default ${show(standard)} is used`
}

/** The option that an unknown key most likely means: a neighbour first, then the same name elsewhere. */
export function suggestKey(path: ValuePath): string | undefined {
  const name = String(path.at(-1))
  const folder = path.slice(0, -1)
  const neighbour = suggestName(name, namesAt(folder))
  if (neighbour !== undefined) return showPath([...folder, neighbour])
  const keys = listOptions().map((option) => option.key)
  const lastNames = keys.map((key) => key.split('.').at(-1) ?? key)
  const elsewhere = suggestName(name, lastNames)
  return elsewhere === undefined ? undefined : keys[lastNames.indexOf(elsewhere)]
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= SHOWN_MAX_CHARACTERS ? text : `${text.slice(0, SHOWN_MAX_CHARACTERS)}…`
}
