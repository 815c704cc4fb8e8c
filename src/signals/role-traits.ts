/** What is true of a role wherever it works. The folders that use a name from here hold it to their own types. */
interface RoleTraits {
  /** The agent that plays the role, by its name in the vocabulary of AXIOM; the director is AXIOM itself. */
  readonly agent: string | null
  /** The lease it works under. An expert has none: its word counts by the id of the request. */
  readonly stage: string | null
  /** The role's work *is* a verdict: an iteration without a signal starts the unknown-signal recovery. */
  readonly owesSignal: boolean
  /** The higher, the sooner it gets a free slot, and is woken when a quota is back. */
  readonly urgency: number
  /** Sent by the task's place in delivery; developers and resolvers are sent in ways of their own. */
  readonly isSentByPlace: boolean
  /** Every task needs it: a program that it lacks is missed before anything is begun. */
  readonly servesEveryTask: boolean
}

const NONE = {
  agent: null,
  stage: null,
  owesSignal: false,
  urgency: 0,
  isSentByPlace: false,
  servesEveryTask: false,
} as const
const SENT = { ...NONE, owesSignal: true, isSentByPlace: true } as const

/**
 * Every job that an agent, or AXIOM itself, can speak in. Urgency: what is nearest to landing goes first; then the
 * repair, which holds up the whole project; then what was begun before what is new.
 */
export const ROLE_TRAITS = {
  developer: { ...NONE, agent: 'echo', stage: 'develop', servesEveryTask: true },
  critic: { ...SENT, agent: 'critic', stage: 'critique', urgency: 4, servesEveryTask: true },
  auditor: { ...SENT, agent: 'auditor', stage: 'audit', urgency: 3, servesEveryTask: true },
  resolver: { ...NONE, agent: 'rex', stage: 'resolve', owesSignal: true, urgency: 7 },
  planner: { ...NONE, agent: 'axel' },
  analyst: { ...SENT, agent: 'axel', stage: 'plan', urgency: 1 },
  remediator: { ...SENT, agent: 'remediator', stage: 'remediate', urgency: 6 },
  'health-auditor': { ...SENT, agent: 'max', stage: 'remediate', urgency: 5 },
  expert: { ...SENT, agent: 'experts', urgency: 2 },
  lead: { ...NONE, agent: 'dex' },
  onboarding: { ...NONE, agent: 'ava' },
  curator: { ...NONE, agent: 'cleo' },
  director: NONE,
} as const satisfies Readonly<Record<string, RoleTraits>>

/** The roles of which a trait is true. */
export type RoleWith<Trait extends keyof RoleTraits> = {
  [Role in keyof typeof ROLE_TRAITS]: (typeof ROLE_TRAITS)[Role][Trait] extends true ? Role : never
}[keyof typeof ROLE_TRAITS]
