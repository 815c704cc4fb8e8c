import { dropWrongValues, suggestKey } from './drop-wrong-values.ts'
import { schemaAt } from './options.ts'
import { parseValueText } from './parse-value-text.ts'
import { isObject, type JsonObject, parsePath, showPath, valueAt, withValueAt } from './value-path.ts'

export type ConfigEdit =
  | { readonly kind: 'changed'; readonly raw: JsonObject; readonly before: unknown; readonly after: unknown }
  | {
      readonly kind: 'refused'
      readonly code: 'CONFIG_UNKNOWN_KEY' | 'CONFIG_SCHEMA_ERROR'
      readonly reason: string
    }

/** Sets one value in a parsed file. Everything else, unknown keys and order included, stays as the person wrote it. */
export function editConfig(raw: unknown, key: string, text: string): ConfigEdit {
  const path = parsePath(key)
  const node = schemaAt(path)
  if (node === undefined || key === '') {
    const meant = suggestKey(path)
    const reason = `there is no option ${key}${meant === undefined ? '' : `; did you mean ${meant}?`}`
    return { kind: 'refused', code: 'CONFIG_UNKNOWN_KEY', reason }
  }
  const before = valueAt(raw, path)
  const after = parseValueText(node, text)
  const changed = withValueAt(isObject(raw) ? raw : {}, path, after) as JsonObject
  const fault = dropWrongValues(changed).problems.find((problem) => concerns(problem.key, showPath(path)))
  if (fault) {
    const reason = fault.message.replace(/; (the default .*|it|the entry) is (used|left out)$/, '')
    return { kind: 'refused', code: fault.code, reason }
  }
  return { kind: 'changed', raw: changed, before, after }
}

function concerns(problem: string, key: string): boolean {
  return (
    problem === key || problem.startsWith(`${key}.`) || problem.startsWith(`${key}[`) || isOuter(problem, key)
  )
}

/** A list refuses its whole entry when one part of it cannot be repaired. */
function isOuter(problem: string, key: string): boolean {
  return problem !== '' && (key.startsWith(`${problem}.`) || key.startsWith(`${problem}[`))
}
