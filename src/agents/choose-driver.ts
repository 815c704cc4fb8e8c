import { AGENT_PROGRAM_NAMES } from '../config/agent-programs.ts'
/** Which program runs an agent: the shape of `agents` in the configuration, and of each of its roles. */
export interface AgentChoice {
  /** `auto` is the first of the known programs that can work. */
  readonly driver: string
  readonly model?: string
  /** The program of `command` and `acp`; that of `claude` and `codex` where it is not on the search path. */
  readonly command?: readonly string[]
}

export interface AgentsSettings extends AgentChoice {
  readonly roles?: Readonly<Record<string, Partial<AgentChoice>>>
  /** Tried in this order when the chosen driver cannot work now. */
  readonly fallback?: readonly (string | Partial<AgentChoice>)[]
}

/** The current state of a driver. */
export type DriverState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'missing' }
  /** Its quota is spent; without a time, the reset is unknown. */
  | { readonly kind: 'spent'; readonly resetAtMs?: number }

export type DriverDecision =
  | { readonly kind: 'chosen'; readonly choice: AgentChoice; readonly insteadOf?: string }
  /** All installed drivers have spent their quota. */
  | { readonly kind: 'wait'; readonly untilMs: number | undefined }
  | { readonly kind: 'none'; readonly missing: readonly string[] }

/** The choice of a task overrides that of its role, which overrides the default. */
export function wantedChoice(
  settings: AgentsSettings,
  role: string,
  task: Partial<AgentChoice> = {},
): AgentChoice {
  const { roles, fallback: _fallback, ...usual } = settings
  return [roles?.[role] ?? {}, task].reduce<AgentChoice>(overlay, usual)
}

/** Picks the driver: the wanted one, or the first fallback that can work now. Pure. */
export function chooseDriver(
  settings: AgentsSettings,
  role: string,
  task: Partial<AgentChoice>,
  stateOf: (driver: string) => DriverState,
): DriverDecision {
  const wanted = wantedChoice(settings, role, task)
  const candidates = candidatesFor(settings, wanted)
  const ready = candidates.find(({ driver }) => stateOf(driver).kind === 'ready')
  if (ready) {
    const isWanted = wanted.driver === ready.driver || wanted.driver === 'auto'
    return { kind: 'chosen', choice: ready, ...(isWanted ? {} : { insteadOf: wanted.driver }) }
  }
  const spent = candidates.map(({ driver }) => stateOf(driver)).filter((state) => state.kind === 'spent')
  if (spent.length === 0) return { kind: 'none', missing: candidates.map(({ driver }) => driver) }
  const resets = spent.flatMap(({ resetAtMs }) => (resetAtMs === undefined ? [] : [resetAtMs]))
  return { kind: 'wait', untilMs: resets.length === 0 ? undefined : Math.min(...resets) }
}

/** The drivers that may run the agent, in order of preference. */
export function candidatesFor({ fallback = [] }: AgentsSettings, wanted: AgentChoice): AgentChoice[] {
  const first =
    wanted.driver === 'auto' ? AGENT_PROGRAM_NAMES.map((driver) => ({ ...wanted, driver })) : [wanted]
  const others = fallback.map((entry) =>
    overlay(wanted, typeof entry === 'string' ? { driver: entry } : entry),
  )
  const known = new Set(first.map(({ driver }) => driver))
  return [...first, ...others.filter(({ driver }) => !known.has(driver))]
}

/** A model name is specific to its driver: another driver does not inherit it. */
function overlay(below: AgentChoice, above: Partial<AgentChoice>): AgentChoice {
  if (above.driver === undefined || above.driver === below.driver) return { ...below, ...above }
  const { driver, model, command } = above
  return {
    driver,
    ...(model === undefined ? {} : { model }),
    ...(command === undefined ? {} : { command }),
  }
}
