/** Which program plays an agent: the shape of `agents` in the configuration, and of each of its roles. */
export interface AgentChoice {
  /** `auto` is the first of the known programs that can work. */
  readonly driver: string
  readonly model?: string
  /** The program of the drivers `command` and `acp`; that of `claude` and `codex` where it is not on the search path. */
  readonly command?: readonly string[]
}

export interface AgentsSettings extends AgentChoice {
  readonly roles?: Readonly<Record<string, Partial<AgentChoice>>>
  /** Tried in this order when the one that was meant cannot work now. */
  readonly fallback?: readonly (string | Partial<AgentChoice>)[]
}

/** What is known of a driver at the moment. */
export type DriverState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'missing' }
  /** Its quota is spent; without a time nobody knows when it returns. */
  | { readonly kind: 'spent'; readonly resetAtMs?: number }

export type DriverDecision =
  | { readonly kind: 'chosen'; readonly choice: AgentChoice; readonly insteadOf?: string }
  /** All that are there have spent their quota. */
  | { readonly kind: 'wait'; readonly untilMs: number | undefined }
  | { readonly kind: 'none'; readonly missing: readonly string[] }

/** What a task asks for goes before what its role asks for, and that before the default. */
export function wantedChoice(
  settings: AgentsSettings,
  role: string,
  task: Partial<AgentChoice> = {},
): AgentChoice {
  const { roles, fallback: _fallback, ...usual } = settings
  return [roles?.[role] ?? {}, task].reduce<AgentChoice>(overlay, usual)
}

/** What `auto` looks for, in this order. */
const AUTO = ['claude', 'codex', 'gemini', 'opencode']

/** Picks who plays: the wanted one, or the first of the fallbacks that can work now. Pure. */
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

/** Everybody who may play, in the order in which they are asked. */
export function candidatesFor({ fallback = [] }: AgentsSettings, wanted: AgentChoice): AgentChoice[] {
  const first = wanted.driver === 'auto' ? AUTO.map((driver) => ({ ...wanted, driver })) : [wanted]
  const others = fallback.map((entry) =>
    overlay(wanted, typeof entry === 'string' ? { driver: entry } : entry),
  )
  const known = new Set(first.map(({ driver }) => driver))
  return [...first, ...others.filter(({ driver }) => !known.has(driver))]
}

/** A model is a word of its driver: another driver does not inherit it. */
function overlay(below: AgentChoice, above: Partial<AgentChoice>): AgentChoice {
  if (above.driver === undefined || above.driver === below.driver) return { ...below, ...above }
  const { driver, model, command } = above
  return {
    driver,
    ...(model === undefined ? {} : { model }),
    ...(command === undefined ? {} : { command }),
  }
}
