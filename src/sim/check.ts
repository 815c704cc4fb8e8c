/**
 * Checks of a playbook's values. Hand-written because tests start hundreds of simulated agents at once, and a
 * schema library doubles the start time.
 */
export interface Check<T> {
  readonly optional: boolean
  /** Adds a sentence for each fault; adds nothing for a valid value. */
  report(value: unknown, path: string, problems: string[]): void
  /** Carries the type; never set. */
  readonly value?: T
}

export type Fields = Readonly<Record<string, Check<unknown>>>

type Required<F extends Fields> = {
  readonly [K in keyof F as F[K]['optional'] extends true ? never : K]: ValueOf<F[K]>
}
type Optional<F extends Fields> = {
  readonly [K in keyof F as F[K]['optional'] extends true ? K : never]?: ValueOf<F[K]>
}
type ValueOf<C> = C extends { readonly value?: infer T } ? Exclude<T, undefined> : never
export type Checked<F extends Fields> = Required<F> & Optional<F>

interface Mandatory<T> extends Check<T> {
  readonly optional: false
}
interface Absentable<T> extends Check<T> {
  readonly optional: true
}

function check<T>(wanted: string, holds: (value: unknown) => boolean): Mandatory<T> {
  return {
    optional: false,
    report(value, path, problems) {
      if (!holds(value)) problems.push(`${path} must be ${wanted}`)
    },
  }
}

const COUNT_MAX = 2 ** 40

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX
}

export const text = check<string>('a text', (value) => typeof value === 'string')
export const flag = check<boolean>('true or false', (value) => typeof value === 'boolean')
export const count = check<number>('a whole number, not negative', isCount)

/** A fixed number, or a range from which the seed chooses. */
export type Span = number | readonly [number, number]
export const span = check<Span>('a whole number or [least, most]', (value) => {
  if (!Array.isArray(value)) return isCount(value)
  const [least, most]: unknown[] = value
  return value.length === 2 && isCount(least) && isCount(most) && least <= most
})

export function oneOf<const T extends string>(...names: readonly T[]): Mandatory<T> {
  return check<T>(`one of ${names.join(', ')}`, (value) => names.some((name) => name === value))
}

export function optional<T>(inner: Mandatory<T>): Absentable<T> {
  return {
    optional: true,
    report(value, path, problems) {
      if (value !== undefined) inner.report(value, path, problems)
    },
  }
}

export function list<T>(inner: Mandatory<T>): Mandatory<readonly T[]> {
  return {
    optional: false,
    report(value, path, problems) {
      if (!Array.isArray(value)) problems.push(`${path} must be a list`)
      else for (const [i, item] of value.entries()) inner.report(item, `${path}[${i}]`, problems)
    },
  }
}

export function record<T>(inner: Mandatory<T>): Mandatory<Readonly<Record<string, T>>> {
  return {
    optional: false,
    report(value, path, problems) {
      if (!isObject(value)) problems.push(`${path} must be an object`)
      else for (const [key, item] of Object.entries(value)) inner.report(item, `${path}.${key}`, problems)
    },
  }
}

export function shape<F extends Fields>(fields: F): Mandatory<Checked<F>> {
  return {
    optional: false,
    report: (value, path, problems) => reportFields(fields, value, path, problems),
  }
}

/** Unknown keys are faults: in a playbook they are misspellings. */
export function reportFields(fields: Fields, value: unknown, path: string, problems: string[]): void {
  if (!isObject(value)) {
    problems.push(`${path} must be an object`)
    return
  }
  for (const [key, field] of Object.entries(fields)) {
    if (value[key] === undefined && !field.optional) problems.push(`${path}.${key} is missing`)
    else field.report(value[key], `${path}.${key}`, problems)
  }
  for (const key of Object.keys(value)) if (!(key in fields)) problems.push(`${path}.${key} is not known`)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
