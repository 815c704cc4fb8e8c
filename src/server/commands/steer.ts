import { Failure } from '../../platform/failure.ts'
import { changeProject, type SprintGoal } from '../../project/document.ts'
import { assignTask } from '../../project/interventions/assign-task.ts'
import { pauseAgent, resumeAgent, stopAgent, tellAgent } from '../../project/interventions/order-agent.ts'
import type { Refused } from '../../project/interventions/outcome.ts'
import { pauseProject, resumeProject } from '../../project/interventions/pause-project.ts'
import { redirectAgent } from '../../project/interventions/redirect-agent.ts'
import { parseGoal } from '../../project/sprint-goal.ts'
import type { Store } from '../../store/store.ts'
import type { CommandAnswer } from '../contract.ts'
import type { SoundCommand } from './command-schema.ts'

type Steering = Extract<
  SoundCommand,
  { kind: 'pause' | 'resume' | 'mode' | 'assign' | 'stop' | 'tell' | 'redirect' }
>

const WHEN = 'at once while the project runs, else when it runs next'

/** Steers the project and running agents, by the same code as the terminal commands. */
export async function steer(store: Store, by: string, command: Steering): Promise<CommandAnswer> {
  switch (command.kind) {
    case 'pause':
      return pause(store, by, command)
    case 'resume':
      return resume(store, by, command)
    case 'mode':
      return changeMode(store, by, command)
    case 'assign': {
      const { task, agent } = command
      return told(await assignTask(store, by, task, agent), `${task} is taken up next (${WHEN}).`, task)
    }
    case 'stop': {
      const { agent } = command
      return told(await stopAgent(store, by, agent), `${agent} ends; its changes are kept (${WHEN}).`)
    }
    case 'tell': {
      const { agent, text } = command
      return told(await tellAgent(store, by, agent, text), `${agent} is told (${WHEN}).`)
    }
    case 'redirect': {
      const { agent, task } = command
      return told(await redirectAgent(store, by, agent, task), `${agent} goes to ${task} (${WHEN}).`, task)
    }
  }
}

async function pause(
  store: Store,
  by: string,
  { agent, reason }: Extract<Steering, { kind: 'pause' }>,
): Promise<CommandAnswer> {
  if (agent !== undefined) {
    return told(await pauseAgent(store, by, agent), `${agent} rests at the end of its iteration (${WHEN}).`)
  }
  const { changed, pause: standing } = await pauseProject(store, by, reason)
  return done(
    changed
      ? 'Paused: no new work starts, and agents rest at the end of their iteration.'
      : `Paused already since ${standing?.at} by ${standing?.by}.`,
  )
}

async function resume(
  store: Store,
  by: string,
  { agent }: Extract<Steering, { kind: 'resume' }>,
): Promise<CommandAnswer> {
  if (agent !== undefined) return told(await resumeAgent(store, by, agent), `${agent} goes on (${WHEN}).`)
  return told(await resumeProject(store, by), 'Work goes on.')
}

/** Switching to semi-auto lets running agents finish; after that only assigned tasks start. */
async function changeMode(
  store: Store,
  by: string,
  { mode, until = 'no-ready', tags = [] }: Extract<Steering, { kind: 'mode' }>,
): Promise<CommandAnswer> {
  const startedAt = await store.now()
  const goal = readGoal(until, startedAt)
  if (goal.kind === 'refused') return goal
  const sprint = mode === 'autopilot' ? { goal, tags: [...tags], startedAt, landed: 0 } : null
  await changeProject(store, by, (project) => ({ ...project, mode, sprint }))
  return done(
    mode === 'autopilot'
      ? 'Autopilot: free slots are filled as long as there is work.'
      : 'Semi-auto: agents at work finish, and a person assigns what is next.',
  )
}

function readGoal(until: string, now: string): SprintGoal | Extract<CommandAnswer, { kind: 'refused' }> {
  try {
    return parseGoal(until, Date.parse(now))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { kind: 'refused', code: error.code, message: error.message, hint: error.hint }
  }
}

/** Turns an outcome into the answer to the request. */
export function told(outcome: object, message: string, ...cases: string[]): CommandAnswer {
  return isRefusal(outcome) ? refusal(outcome) : { kind: 'done', message, cases }
}

function isRefusal(outcome: object): outcome is Refused {
  return 'kind' in outcome && outcome.kind === 'refused'
}

function refusal({ code, message, hint }: Pick<Refused, 'code' | 'message' | 'hint'>): CommandAnswer {
  return { kind: 'refused', code, message, hint }
}

function done(message: string): CommandAnswer {
  return { kind: 'done', message, cases: [] }
}
