import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Check,
  count,
  flag,
  list,
  optional,
  record,
  reportFields,
  type Span,
  shape,
  span,
  text,
} from './check.ts'
import { SimFailure } from './sim-failure.ts'
import type { Situation } from './situation.ts'
import { reportSteps, type Step } from './step.ts'

/** The steps of simulated agents by role, task and iteration. The first matching entry is played. */
export interface Playbook {
  readonly seed?: number
  /** Names of the protocol that differ from the `axiom` vocabulary. */
  readonly vocabulary?: { readonly tag?: string; readonly names?: Readonly<Record<string, string>> }
  /** The pause before each step, so that a run that is watched looks like work. */
  readonly paceMs?: Span
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly role?: string
  /** Ids or keys of tasks. */
  readonly tasks?: readonly string[]
  readonly agent?: string
  /** One iteration, or the first and the last. */
  readonly iteration?: Span
  /** Whether an earlier session is resumed. */
  readonly resumed?: boolean
  /** Which turn of this role on this task, from 1; counted in the folder `turns` beside the playbook. */
  readonly turn?: number
  /** Text that the prompt must contain. */
  readonly told?: string
  /**
   * Text that a workspace file must contain, or must not: depends on the state of the work, not on a count.
   */
  readonly holds?: Finding
  readonly lacks?: Finding
  readonly steps: readonly Step[]
}

interface Finding {
  readonly file: string
  readonly text: string
}

export interface LoadedPlaybook {
  readonly playbook: Playbook
  /** The base of relative paths in the playbook. */
  readonly folder: string
}

const NO_PLAYBOOK: Playbook = { entries: [] }
const PROBLEMS_SHOWN_MAX = 10
const TURNS_MAX = 10_000

export function loadPlaybook(path: string | undefined): LoadedPlaybook {
  if (path === undefined || path === '') return { playbook: NO_PLAYBOOK, folder: '.' }
  return { playbook: parsePlaybook(readPlaybook(path)), folder: dirname(path) }
}

function readPlaybook(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new SimFailure('SIM_PLAYBOOK_MISSING', `the playbook ${path} cannot be read: ${String(error)}`)
  }
}

export function parsePlaybook(content: string): Playbook {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new SimFailure('SIM_PLAYBOOK_NOT_JSON', `the playbook is not JSON: ${String(error)}`)
  }
  const problems: string[] = []
  reportFields(PLAYBOOK_FIELDS, value, 'playbook', problems)
  if (problems.length > 0) {
    const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).join('; ')
    throw new SimFailure('SIM_PLAYBOOK_INVALID', `${problems.length} fault(s) in the playbook: ${shown}`)
  }
  return value as Playbook
}

const finding = shape({ file: text, text })
const steps: Check<readonly Step[]> = { optional: false, report: reportSteps }
const entry: Check<Entry> & { optional: false } = {
  optional: false,
  report: (value, path, problems) =>
    reportFields(
      {
        role: optional(text),
        tasks: optional(list(text)),
        agent: optional(text),
        iteration: optional(span),
        resumed: optional(flag),
        turn: optional(count),
        told: optional(text),
        holds: optional(finding),
        lacks: optional(finding),
        steps,
      },
      value,
      path,
      problems,
    ),
}
const PLAYBOOK_FIELDS = {
  seed: optional(count),
  vocabulary: optional(shape({ tag: optional(text), names: optional(record(text)) })),
  paceMs: optional(span),
  entries: list(entry),
}

/** The steps for this situation; without a matching entry, the role's default. */
export function chooseSteps(
  { entries }: Playbook,
  situation: Situation,
  countTurn: () => number,
): readonly Step[] {
  const turn = entries.some((entry) => entry.turn !== undefined) ? countTurn() : 0
  return entries.find((candidate) => fits(candidate, situation, turn))?.steps ?? [{ do: 'play' }]
}

/**
 * All agents of a playbook share the count: a turn belongs to the process that creates its numbered folder.
 */
export function countTurns(folder: string, { role, taskId }: Situation): number {
  const place = join(folder, 'turns', `${role}-${taskId}`)
  mkdirSync(place, { recursive: true })
  for (let turn = readdirSync(place).length + 1; turn < TURNS_MAX; turn += 1) {
    try {
      mkdirSync(join(place, String(turn)))
      return turn
    } catch {}
  }
  throw new SimFailure('SIM_STEP_FAILED', `${role} was played ${TURNS_MAX} times on ${taskId}`)
}

function fits(candidate: Entry, situation: Situation, turn: number): boolean {
  const { role, tasks, agent, iteration, resumed, told, holds, lacks } = candidate
  if (role !== undefined && role !== situation.role) return false
  if (agent !== undefined && agent !== situation.agent) return false
  if (resumed !== undefined && resumed !== situation.resumed) return false
  if (tasks !== undefined && !tasks.includes(situation.taskId) && !tasks.includes(situation.taskKey))
    return false
  if (candidate.turn !== undefined && candidate.turn !== turn) return false
  if (told !== undefined && !situation.prompt.includes(told)) return false
  if (holds !== undefined && !isFound(holds, situation)) return false
  if (lacks !== undefined && isFound(lacks, situation)) return false
  if (iteration === undefined) return true
  const [first, last] = typeof iteration === 'number' ? [iteration, iteration] : iteration
  return situation.iteration >= first && situation.iteration <= last
}

function isFound({ file, text: words }: Finding, { workspace }: Situation): boolean {
  try {
    return readFileSync(join(workspace, file), 'utf8').includes(words)
  } catch {
    return false
  }
}
