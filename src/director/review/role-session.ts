import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case } from '../../cases/case.ts'
import { agentFolder, agentOfRole } from '../../personas/roles.ts'
import { Failure } from '../../platform/failure.ts'
import type { RolePlayed, RolePorts } from '../../runs/play-role.ts'
import type { Learnt } from '../../runs/task-progress.ts'
import type { SlotVariables } from '../../workspaces/slot-variables.ts'
import { openAgentHome } from '../agents/agent-home.ts'
import { quotaPlaceOf } from '../develop/run-ports.ts'
import type { PerformingRole } from '../hands.ts'
import type { RunWorld } from '../run-world.ts'

/** An agent that owes a signal, and where it works. */
interface RoleSession {
  readonly role: PerformingRole | 'resolver'
  readonly agent: string
  readonly task: Case
  readonly path: string
  readonly variables: SlotVariables
}

/** What every such agent has, for any role: a driver, its logs, and a place for its discoveries. */
export function openRoleSession(world: RunWorld, session: RoleSession): Omit<RolePorts, 'object'> {
  const { root, vocabulary, ground, clock } = world
  const { role, agent, task, path, variables } = session
  const folder = join(root, vocabulary.folder)
  const log = join(folder, 'agents', personaOf(world, role), 'logs', `${task.id}.jsonl`)
  return {
    clock: clock.steady?.() ?? clock,
    random: () => world.random(),
    show: (row) => world.show(row),
    ...quotaPlaceOf(world, { agent, task: task.id, role }),
    startAgent: async ({ iteration, systemPrompt, prompt }) =>
      world.driver.start({
        assignment: { role, agent, taskId: task.id, taskKey: keyOf(task), iteration },
        prompt: world.redact(prompt),
        systemPrompt: world.redact(systemPrompt),
        workspace: path,
        folder: await openAgentHome(folder, agent, task.id),
        logFile: join(folder, 'logs', `${agent}-${task.id}.log`),
        ...world.agentRequest,
        environment: { ...variables.environment, ...world.agentRequest?.environment },
        readOnly: [ground.integration.objects, ...(world.agentRequest?.readOnly ?? [])],
      }),
    log: (line) => appendLine(log, world.redact(line)),
    logProblem: (line) => appendLine(join(folder, 'logs/signals.jsonl'), line),
    keep: (learnt) => keepLearnt(world, session, learnt),
  }
}

function personaOf({ vocabulary }: RunWorld, role: RoleSession['role']): string {
  return agentFolder(vocabulary, agentOfRole(role))
}

/** The task's name in the plan, where a plan gave it one. */
function keyOf({ metadata }: Case): string {
  return typeof metadata.key === 'string' ? metadata.key : ''
}

async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `${line}\n`)
}

async function keepLearnt(
  { store }: RunWorld,
  { agent, task }: RoleSession,
  learnt: readonly Learnt[],
): Promise<void> {
  const answer = await store.transact({
    commands: learnt.map(({ scope, content }) => ({
      kind: 'create',
      type: 'discovery',
      content,
      parentId: task.id,
      metadata: { scope, sourceTaskId: task.id, sourceAgentId: agent },
    })),
    by: agent,
  })
  if (answer.kind === 'committed') return
  throw new Failure('STORE_REFUSED', `What ${agent} learnt was refused: ${JSON.stringify(answer)}`)
}

const RECORDED = { spoke: 'complete', lost: 'restart', stopped: 'stopped' } as const

/** Records the figures of a finished role. */
export async function recordRole(
  world: RunWorld,
  { role, agent, task }: Pick<RoleSession, 'role' | 'agent' | 'task'>,
  { end, iterations, durationMs, spent }: RolePlayed,
): Promise<void> {
  await world.ash.record({
    at: new Date(world.clock.now()).toISOString(),
    agent,
    persona: personaOf(world, role),
    task: task.id,
    end: RECORDED[end.kind],
    iterations,
    durationMs,
    tokens: { input: spent.tokens.inputTokens, output: spent.tokens.outputTokens },
    costUsd: spent.costUsd,
  })
}
