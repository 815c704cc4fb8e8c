import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TrialAgent } from '../../platform/sandbox/probe-sandbox.ts'
import { type AgentHost, startAgent } from '../agent-run.ts'
import { type AgentProcess, type AgentRequest, type Driver, NEW_SESSION, type Session } from '../driver.ts'
import { claudeArguments } from './claude.ts'
import { ClaudeConversation } from './claude-conversation.ts'

export interface SimSettings {
  /** The folder that holds the built program, `sim/main.js`. */
  readonly built: string
}

/** The simulated agent: a separate program with claude's protocol, so that the same code drives both. */
export function simDriver(host: AgentHost, settings: SimSettings): Driver {
  return {
    name: 'sim',
    abilities: { send: true, redirect: true, resume: true, permissions: true },
    start: (request) =>
      startSim(host, settings, request, { ...NEW_SESSION, id: randomUUID() }, '--session-id'),
    resume: (session, request) => startSim(host, settings, request, session, '--resume'),
  }
}

async function startSim(
  host: AgentHost,
  { built }: SimSettings,
  request: AgentRequest,
  session: Session,
  flag: string,
): Promise<AgentProcess> {
  const { role, agent, taskId, taskKey, iteration } = request.assignment
  const args = await claudeArguments(host, request, [flag, session.id], request.model)
  return startAgent(host, request, {
    program: process.execPath,
    args: [programIn(built), ...args],
    readOnly: [built],
    environment: {
      AXIOM_ROLE: role,
      AXIOM_AGENT: agent,
      AXIOM_TASK_ID: taskId,
      AXIOM_TASK_KEY: taskKey,
      AXIOM_ITERATION: String(iteration),
      AXIOM_WORKSPACE: request.workspace,
    },
    conversation: new ClaudeConversation(request, session),
  })
}

function programIn(built: string): string {
  return join(built, 'sim/main.js')
}

/**
 * The agent that a sandbox trial starts to prove that agents can start. Unbuilt, as in tests, it is only
 * read.
 */
export function simTrial(built: string): TrialAgent {
  const program = programIn(built)
  return { folder: built, program: existsSync(program) ? program : join(built, 'sim/main.ts') }
}
