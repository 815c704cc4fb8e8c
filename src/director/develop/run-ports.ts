import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { agentFolder } from '../../personas/roles.ts'
import { Failure, systemCode } from '../../platform/failure.ts'
import type { RunPorts } from '../../runs/run-ports.ts'
import type { TaskProgress } from '../../runs/task-progress.ts'
import { proveCompletion } from '../../verification/prove-completion.ts'
import { checksFor } from '../../verification/run-checks.ts'
import { inspectWorkspace } from '../../workspaces/inspect-workspace.ts'
import { openAgentHome } from '../agents/agent-home.ts'
import type { QueuedAgent } from '../agents/quota-queue.ts'
import { spendMetadata } from '../budgets/spend-metadata.ts'
import type { RunWorld } from '../run-world.ts'
import { proofPorts, type RunWorkspace } from './run-workspace.ts'

export interface RunPlace {
  readonly agent: string
  readonly fence: number
  readonly task: Case
  readonly place: RunWorkspace
}

/** Implements a run's ports with the real driver, workspace, proof, logs and store. */
export function makePorts(world: RunWorld, run: RunPlace): RunPorts {
  const { ground, clock, vocabulary } = world
  const { workspace } = run.place
  const logFile = executionLogOf(world, run.task.id)
  const problemFile = join(world.root, vocabulary.folder, 'logs/signals.jsonl')
  return {
    clock: clock.steady?.() ?? clock,
    random: () => world.random(),
    ...quotaPlaceOf(world, { agent: run.agent, task: run.task.id, role: 'developer' }),
    show: (row) => world.show(row),
    startAgent: async ({ iteration, systemPrompt, prompt }) =>
      world.driver.start({
        assignment: {
          role: 'developer',
          agent: run.agent,
          taskId: run.task.id,
          taskKey: keyOf(run.task),
          iteration,
        },
        prompt: world.redact(prompt),
        systemPrompt: world.redact(systemPrompt),
        workspace: workspace.path,
        folder: await openAgentHome(join(world.root, vocabulary.folder), run.agent, run.task.id),
        logFile: join(world.root, vocabulary.folder, 'logs', `${run.agent}-${run.task.id}.log`),
        ...world.agentRequest,
        environment: { ...run.place.slot.environment, ...world.agentRequest?.environment },
        readOnly: [ground.integration.objects, ...(world.agentRequest?.readOnly ?? [])],
      }),
    async inspect() {
      const { exported, uncommitted, nested } = await inspectWorkspace(ground, workspace)
      return { head: exported, uncommitted, nested }
    },
    prove: (seen, iteration) =>
      proveCompletion(proofPorts(world, run.place.slot), {
        claim: { base: workspace.base, ...seen },
        task: run.task.id,
        agent: run.agent,
        iteration,
        checks: checksFor(world.config.verification, taskMetadata(run.task.metadata).verify ?? []),
        environment: run.place.slot.environment,
        machine: world.machine,
      }),
    log: (line) => appendLine(logFile, world.redact(line)),
    logProblem: (line) => appendLine(problemFile, line),
    keep: (progress) => keepProgress(world, run, progress),
  }
}

/** The agent's place in the quota queue. */
export function quotaPlaceOf({ quotaQueue }: RunWorld, queued: QueuedAgent): Pick<RunPorts, 'quotaPlace'> {
  return quotaQueue ? { quotaPlace: quotaQueue.placeFor(queued) } : {}
}

/** `agents/{persona}/logs/{taskId}.jsonl`. */
export function executionLogOf({ root, vocabulary }: RunWorld, task: string): string {
  return join(root, vocabulary.folder, 'agents', agentFolder(vocabulary, 'echo'), 'logs', `${task}.jsonl`)
}

async function appendLine(file: string, line: string): Promise<void> {
  try {
    await appendFile(file, `${line}\n`)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    await mkdir(dirname(file), { recursive: true })
    await appendFile(file, `${line}\n`)
  }
}

/** The task's name in the plan, where a plan gave it one. */
function keyOf({ metadata }: Case): string {
  return typeof metadata.key === 'string' ? metadata.key : ''
}

async function keepProgress(
  { store }: RunWorld,
  { agent, fence, task }: RunPlace,
  { execution, discoveries, warnings, ...cost }: TaskProgress,
): Promise<boolean> {
  const commands: CaseCommand[] = [
    {
      kind: 'update',
      id: task.id,
      metadata: {
        execution,
        run: { agent, ...(warnings.length > 0 ? { warnings } : {}) },
        ...spendMetadata(task, cost),
      },
      reason: `iteration ${execution.iterations ?? 0}`,
      fence,
    },
    ...discoveries.map(
      ({ scope, content }): CaseCommand => ({
        kind: 'create',
        type: 'discovery',
        content,
        parentId: task.id,
        metadata: { scope, sourceTaskId: task.id, sourceAgentId: agent },
      }),
    ),
  ]
  const answer = await store.transact({ commands, by: agent })
  if (answer.kind === 'committed') return true
  if (answer.kind === 'refused' && answer.code === 'StaleClaim') return false
  throw new Failure('STORE_REFUSED', `What ${task.id} brought was refused: ${JSON.stringify(answer)}`)
}
