import {
  type Check,
  type Checked,
  count,
  flag,
  isObject,
  list,
  oneOf,
  optional,
  record,
  reportFields,
  shape,
  span,
  text,
} from './check.ts'

/** The fields of each step, by its `do`. */
const SIMPLE = {
  say: { text },
  edit: {
    file: text,
    write: optional(text),
    append: optional(text),
    replace: optional(shape({ from: text, to: text })),
    delete: optional(flag),
    asks: optional(flag),
  },
  patch: { text: optional(text), file: optional(text) },
  checkout: { ref: text, paths: optional(list(text)) },
  run: { command: text, timeoutMs: optional(count), mustPass: optional(flag), asks: optional(flag) },
  /** Ends a merge: conflicted files get the given content; without one, both sides are kept. */
  settle: { files: record(text) },
  commit: { message: optional(text), allowEmpty: optional(flag), asks: optional(flag) },
  signal: {
    tag: optional(text),
    line: optional(text),
    payload: optional(text),
    task: optional(text),
    body: optional(text),
    after: optional(text),
  },
  wait: { ms: span },
  barrier: { path: text, arrivals: optional(count), atMostMs: optional(count) },
  ask: { question: text },
  think: { text: optional(text), inputTokens: optional(count), outputTokens: optional(count) },
  listen: { answer: text, atMostMs: optional(count) },
  play: {
    verdict: optional(oneOf('passed', 'failed', 'blocked')),
    issues: optional(list(shape({ file: text, line: count, text }))),
    fixes: optional(list(text)),
    criteria: optional(list(text)),
    priority: optional(oneOf('HIGH', 'MEDIUM', 'LOW')),
    confidence: optional(oneOf('HIGH', 'MEDIUM', 'LOW')),
    reason: optional(text),
  },
  crash: { signal: optional(oneOf('SIGKILL', 'SIGSEGV', 'SIGABRT')) },
  exit: { code: count },
  hang: { spins: optional(flag) },
  'ignore-sigterm': {},
  'double-fork': { seconds: optional(count), marker: optional(text), writes: optional(text) },
  flood: {
    bytes: count,
    form: oneOf('one-line', 'short-lines', 'binary', 'speech', 'tool-result'),
  },
  lie: {},
  spoof: { file: optional(text) },
  'rate-limit': { resetInS: optional(count), attempts: optional(count) },
  overload: { attempts: count, delayMs: optional(count), status: optional(count), recovers: optional(flag) },
  'wrong-format': {},
  attack: {
    outside: optional(list(text)),
    repositories: optional(list(text)),
    secretFiles: optional(list(text)),
    secretWord: optional(text),
    ports: optional(list(count)),
  },
} as const

type SimpleSteps = { [K in keyof typeof SIMPLE]: { readonly do: K } & Checked<(typeof SIMPLE)[K]> }
type SimpleStep = SimpleSteps[keyof SimpleSteps]

export type Step =
  | SimpleStep
  | {
      readonly do: 'choose'
      readonly between: readonly { readonly weight: number; readonly steps: readonly Step[] }[]
    }
  | {
      readonly do: 'repeat'
      readonly times: number
      readonly everyMs?: number
      readonly steps: readonly Step[]
    }

export type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>

const NESTING_MAX = 8

export function reportSteps(value: unknown, path: string, problems: string[], depth = 0): void {
  if (!Array.isArray(value)) {
    problems.push(`${path} must be a list`)
    return
  }
  if (depth > NESTING_MAX) problems.push(`${path} is nested deeper than ${NESTING_MAX} steps`)
  else for (const [i, step] of value.entries()) reportStep(step, `${path}[${i}]`, problems, depth)
}

function reportStep(value: unknown, path: string, problems: string[], depth: number): void {
  const kind = isObject(value) ? value.do : undefined
  const steps: Check<unknown> = {
    optional: false,
    report: (inner, at) => reportSteps(inner, at, problems, depth + 1),
  }
  const named = { do: text }
  if (kind === 'repeat')
    reportFields({ ...named, times: count, everyMs: optional(count), steps }, value, path, problems)
  else if (kind === 'choose') reportChoice(value, path, problems, steps)
  else if (typeof kind === 'string' && Object.hasOwn(SIMPLE, kind)) {
    reportFields({ ...named, ...SIMPLE[kind as keyof typeof SIMPLE] }, value, path, problems)
    reportMeaning(value as SimpleStep, path, problems)
  } else problems.push(`${path}.do must be one of ${[...Object.keys(SIMPLE), 'choose', 'repeat'].join(', ')}`)
}

function reportChoice(value: unknown, path: string, problems: string[], steps: Check<unknown>): void {
  const option: Check<unknown> & { optional: false } = {
    optional: false,
    report: (item, at) => reportFields({ weight: count, steps }, item, at, problems),
  }
  reportFields({ do: text, between: list(option) }, value, path, problems)
  const between = isObject(value) && Array.isArray(value.between) ? value.between : []
  if (between.length === 0) problems.push(`${path}.between must hold something to choose`)
}

/** Rules that span several fields. */
function reportMeaning(step: SimpleStep, path: string, problems: string[]): void {
  if (step.do === 'edit') {
    const ways = [step.write, step.append, step.replace, step.delete].filter((way) => way !== undefined)
    if (ways.length !== 1) problems.push(`${path} must have exactly one of write, append, replace, delete`)
  }
  if (step.do === 'signal' && (step.tag === undefined) === (step.line === undefined)) {
    problems.push(`${path} must have either tag or line`)
  }
  if (step.do === 'patch' && (step.text === undefined) === (step.file === undefined)) {
    problems.push(`${path} must have either text or file`)
  }
}
