import type { Case, CaseId, Stage } from '../../cases/case.ts'
import type { Store } from '../../store/store.ts'
import { type Refused, refuse } from './outcome.ts'

/** An agent that holds a piece of work. */
export interface LiveAgent {
  readonly agent: string
  readonly task: CaseId
  readonly stage: Stage
}

export async function listLiveAgents(store: Store): Promise<LiveAgent[]> {
  const tasks = await store.query({ type: 'task' })
  return tasks.flatMap(agentsOf).toSorted((a, b) => a.agent.localeCompare(b.agent))
}

function agentsOf({ id, leases = {} }: Case): LiveAgent[] {
  return Object.entries(leases).map(([stage, { holder }]) => ({
    agent: holder,
    task: id,
    stage: stage as Stage,
  }))
}

/** The work that an agent has in hand, by the agent's id. */
export async function findLiveAgent(store: Store, agent: string): Promise<LiveAgent | Refused> {
  const live = await listLiveAgents(store)
  const found = live.find((one) => one.agent === agent)
  if (found) return found
  const names = [...new Set(live.map((one) => `${one.agent} (${one.task})`))]
  return refuse(
    'AGENT_UNKNOWN',
    `no agent ${agent} is at work`,
    names.length > 0 ? `at work: ${names.join(', ')}` : 'no agent is at work; "axiom status" shows what is',
  )
}
