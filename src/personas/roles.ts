import { ROLES as SPEAKERS, type Role as Speaker } from '../signals/definition.ts'
import { ROLE_TRAITS } from '../signals/role-traits.ts'
import { PERSONAS, type Persona, type Vocabulary } from '../vocabulary/vocabulary.ts'

/** The roles that an agent can be asked to play; the director is AXIOM itself. */
export type Role = Exclude<Speaker, 'director'>

export const ROLES: readonly Role[] = SPEAKERS.filter((speaker) => speaker !== 'director')

/** Agents outside the eight personas; they keep their names in every vocabulary. */
export const OTHER_AGENTS = ['critic', 'auditor', 'remediator', 'experts'] as const
export type Agent = Persona | (typeof OTHER_AGENTS)[number]

export const AGENTS: readonly Agent[] = [...PERSONAS, ...OTHER_AGENTS]

export function agentOfRole(role: Role): Agent {
  return ROLE_TRAITS[role].agent
}

export function rolesOfAgent(agent: Agent): Role[] {
  return ROLES.filter((role) => agentOfRole(role) === agent)
}

/** The agent's folder under `agents/`. */
export function agentFolder(vocabulary: Vocabulary, agent: Agent): string {
  return isPersona(agent) ? vocabulary.personas[agent].id : agent
}

/** What its ids begin with: `echo` in `echo-047`, `critic` in `critic-003`. */
export function agentIdPrefix(vocabulary: Vocabulary, agent: Agent): string {
  return agent === 'experts' ? 'expert' : agentFolder(vocabulary, agent)
}

/** Accepts the name a person would type: a role, a persona of this vocabulary, or an agent. */
export function findRole(vocabulary: Vocabulary, typed: string): Role | undefined {
  const word = typed.toLowerCase()
  const role = ROLES.find((name) => name === word)
  if (role) return role
  const agent = AGENTS.find((name) =>
    [agentFolder(vocabulary, name), agentIdPrefix(vocabulary, name)].includes(word),
  )
  return agent && rolesOfAgent(agent)[0]
}

export function isPersona(agent: Agent): agent is Persona {
  return PERSONAS.some((persona) => persona === agent)
}
