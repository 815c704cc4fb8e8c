export type ValuePath = readonly (string | number)[]
export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `verification[1].timeout` for `['verification', 1, 'timeout']`. */
export function showPath(path: ValuePath): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('')
}

/** Splits what a person types: `verification.1.timeout` and `verification[1].timeout` are the same. */
export function parsePath(text: string): ValuePath {
  return text
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

export function valueAt(root: unknown, path: ValuePath): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** A copy of the root with one value replaced; key order is kept, missing objects on the way are made. */
export function withValueAt(root: unknown, path: ValuePath, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const inner = withValueAt(valueAt(root, [step]), rest, value)
  if (Array.isArray(root) && typeof step === 'number') return root.toSpliced(step, 1, inner)
  return { ...(isObject(root) ? root : {}), [step]: inner }
}

/** A copy of the root without the value at the path; an element of a list leaves no hole. */
export function withoutValueAt(root: unknown, path: ValuePath): unknown {
  const [step, ...rest] = path
  if (step === undefined) return undefined
  if (Array.isArray(root) && typeof step === 'number') {
    return rest.length === 0
      ? root.toSpliced(step, 1)
      : root.toSpliced(step, 1, withoutValueAt(root[step], rest))
  }
  if (!isObject(root) || !Object.hasOwn(root, step)) return root
  if (rest.length > 0) return { ...root, [step]: withoutValueAt(root[step], rest) }
  return Object.fromEntries(Object.entries(root).filter(([key]) => key !== String(step)))
}
