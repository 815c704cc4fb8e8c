/** Which program plays an agent: the shape of `agents` in the configuration, and of each of its roles. */
export interface AgentChoice {
  readonly driver: string
  readonly model?: string
  /** The program of the drivers `command` and `acp`. */
  readonly command?: readonly string[]
}

export interface AgentsSettings extends AgentChoice {
  readonly roles?: Readonly<Record<string, Partial<AgentChoice>>>
  /** Tried in this order when the one that was meant cannot work now. */
  readonly fallback?: readonly (string | AgentChoice)[]
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

/** Picks who plays: the wanted one, or the first of the fallbacks that can work now. Pure. */
export function chooseDriver(
  settings: AgentsSettings,
  role: string,
  task: Partial<AgentChoice>,
  stateOf: (driver: string) => DriverState,
): DriverDecision {
  const wanted = wantedChoice(settings, role, task)
  const others = (settings.fallback ?? []).map((entry) =>
    typeof entry === 'string' ? { driver: entry } : entry,
  )
  const candidates = [wanted, ...others.filter(({ driver }) => driver !== wanted.driver)]
  const ready = candidates.find(({ driver }) => stateOf(driver).kind === 'ready')
  if (ready === wanted) return { kind: 'chosen', choice: wanted }
  if (ready) return { kind: 'chosen', choice: ready, insteadOf: wanted.driver }
  const states = candidates.map(({ driver }) => stateOf(driver))
  const spent = states.filter((state) => state.kind === 'spent')
  if (spent.length === 0) return { kind: 'none', missing: candidates.map(({ driver }) => driver) }
  const resets = spent.flatMap(({ resetAtMs }) => (resetAtMs === undefined ? [] : [resetAtMs]))
  return { kind: 'wait', untilMs: resets.length === 0 ? undefined : Math.min(...resets) }
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
