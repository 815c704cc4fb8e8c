import { appendFile, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { iterationOf } from '../../personas/case-prompt.ts'
import type { Feedback } from '../../personas/prompt-input.ts'
import { agentFolder } from '../../personas/roles.ts'
import { Failure } from '../../platform/failure.ts'
import { playRole, type RolePlayed, type RolePorts } from '../../runs/play-role.ts'
import { runLimits } from '../../runs/run-limits.ts'
import { type Learnt, NOTHING_SPENT } from '../../runs/task-progress.ts'
import { removeWorkspace } from '../../workspaces/remove-workspace.ts'
import { type SlotVariables, slotVariables } from '../../workspaces/slot-variables.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { ResolveOrder, ResolveResult } from '../hands.ts'
import { holdLease } from '../hold-lease.ts'
import { bedOf } from '../make-run-ports.ts'
import type { RunWorld } from '../run-world.ts'
import { type JudgedResolution, judgeResolution } from './judge-resolution.ts'
import { openMerge } from './merge-workspace.ts'
import { resolverPrompt } from './resolver-prompt.ts'

/**
 * Lets Rex settle one conflict in a workspace of his own. His word counts when a merge of both sides is committed
 * without a marker and passes the checks; where he does not get there, the workspace stays for a person.
 */
export async function resolveConflict(world: RunWorld, order: ResolveOrder): Promise<ResolveResult> {
  const begunMs = world.clock.now()
  const { task, fence, control } = order
  await using lease = holdLease(world, { id: task.id, stage: 'resolve', fence }, () => control.stop())
  try {
    const result = await resolveIn(world, order)
    if (!lease.isLost) return result
    const { spent, iterations, durationMs } = result
    return { kind: 'stopped', spent, iterations, durationMs }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = `${error.code}: ${error.message} ${error.hint}`.trim()
    const durationMs = world.clock.now() - begunMs
    const cost = { spent: NOTHING_SPENT, iterations: 0, durationMs }
    return error.code === 'INTERRUPTED' ? { ...cost, kind: 'stopped' } : { ...cost, kind: 'failed', reason }
  }
}

async function resolveIn(world: RunWorld, order: ResolveOrder): Promise<ResolveResult> {
  const { config, ground } = world
  const { agent, slot, target, entry, task } = order
  const variables = slotVariables(slot, basename(world.root), config.workspace.variables)
  const opened = await openMerge(world, {
    agent,
    slot,
    target,
    source: entry.source,
    task: task.id,
    variables,
  })
  const { workspace } = opened
  const nothing = { spent: NOTHING_SPENT, iterations: 0, durationMs: 0 }
  if (opened.kind === 'failed')
    return { ...nothing, kind: 'failed', reason: opened.reason, workspace: workspace.name }
  if (opened.kind === 'clean') {
    await removeWorkspace(ground, workspace, 'there was nothing to settle')
    return { ...nothing, kind: 'resolved', commit: entry.source }
  }
  const asked = await world.store.query({ type: 'pending', status: 'done', parentId: task.parentId })
  const { answers } = iterationOf(task, asked)
  const judged: { last?: JudgedResolution } = {}
  const played = await playRole(
    portsOf(world, order, workspace, variables, judged),
    {
      prompt: await resolverPrompt(world, order),
      first: { number: 1, ...(answers ? { answers } : {}) },
      task: task.id,
      limits: { ...runLimits(config), iterationsMax: config.integration.conflictTries },
      assembly: { tokensMax: config.prompts.maxTokens, discoveryTokensMax: config.knowledge.promptTokens },
    },
    order.control,
  )
  await record(world, order, played)
  return conclude(world, workspace, played, judged.last)
}

async function conclude(
  { ground }: RunWorld,
  workspace: Workspace,
  { end, spent, iterations, durationMs }: RolePlayed,
  judged: JudgedResolution | undefined,
): Promise<ResolveResult> {
  const cost = { spent, iterations, durationMs }
  if (end.kind === 'stopped') return { ...cost, kind: 'stopped' }
  if (end.kind === 'spoke' && judged?.kind === 'sound') {
    await removeWorkspace(ground, workspace, 'the conflict was settled')
    return { ...cost, kind: 'resolved', commit: judged.commit }
  }
  if (end.kind === 'spoke') return { ...cost, kind: 'pending', signal: end.signal, workspace: workspace.name }
  const faults = judged?.kind === 'refused' ? ` ${judged.faults.join(' ')}` : ''
  return {
    ...cost,
    kind: 'failed',
    reason: `${end.cause}: ${end.reason}.${faults}`,
    workspace: workspace.name,
  }
}

function portsOf(
  world: RunWorld,
  { agent, task, entry, target }: ResolveOrder,
  workspace: Workspace,
  variables: SlotVariables,
  judged: { last?: JudgedResolution },
): RolePorts {
  const { root, vocabulary, ground } = world
  const folder = join(root, vocabulary.folder)
  const log = join(folder, 'agents', agentFolder(vocabulary, 'rex'), 'logs', `${task.id}.jsonl`)
  return {
    clock: world.clock.steady?.() ?? world.clock,
    random: () => world.random(),
    show: (row) => world.show(row),
    ...bedOf(world, { agent, task: task.id, role: 'resolver' }),
    startAgent: ({ iteration, systemPrompt, prompt }) =>
      world.driver.start({
        assignment: { role: 'resolver', agent, taskId: task.id, taskKey: keyOf(task), iteration },
        prompt: world.redact(prompt),
        systemPrompt: world.redact(systemPrompt),
        workspace: workspace.path,
        folder: join(folder, 'private', agent),
        logFile: join(folder, 'logs', `${agent}-${task.id}.log`),
        ...world.agentRequest,
        environment: { ...variables.environment, ...world.agentRequest?.environment },
        readOnly: [ground.integration.objects, ...(world.agentRequest?.readOnly ?? [])],
      }),
    log: (line) => appendLine(log, world.redact(line)),
    logProblem: (line) => appendLine(join(folder, 'logs/signals.jsonl'), line),
    async object(signal) {
      if (signal.name !== 'RESOLVED') return []
      judged.last = await judgeResolution(world, { workspace, task: task.id, target, source: entry.source })
      return judged.last.kind === 'sound' ? [] : feedbackOf(judged.last)
    },
    keep: (learnt) => keepLearnt(world, agent, task.id, learnt),
  }
}

async function keepLearnt(
  { store }: RunWorld,
  agent: string,
  task: string,
  learnt: readonly Learnt[],
): Promise<void> {
  const answer = await store.transact({
    commands: learnt.map(({ scope, content }) => ({
      kind: 'create',
      type: 'discovery',
      content,
      parentId: task,
      metadata: { scope, sourceTaskId: task, sourceAgentId: agent },
    })),
    by: agent,
  })
  if (answer.kind === 'committed') return
  throw new Failure('STORE_REFUSED', `What ${agent} learnt was refused: ${JSON.stringify(answer)}`)
}

function keyOf({ metadata }: ResolveOrder['task']): string {
  return typeof metadata.key === 'string' ? metadata.key : ''
}

function feedbackOf({ faults, output }: Extract<JudgedResolution, { kind: 'refused' }>): Feedback[] {
  const title = 'The conflict is not settled yet'
  const origin = 'the director'
  const finding = { kind: 'finding', title, origin, text: faults.join('\n') } as const
  if (output === undefined) return [finding]
  return [finding, { kind: 'output', title: 'The checks', origin, text: output }]
}

async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `${line}\n`)
}

const RECORDED = { spoke: 'complete', lost: 'restart', stopped: 'stopped' } as const

async function record(
  { ash, clock, vocabulary }: RunWorld,
  { agent, task }: ResolveOrder,
  { end, iterations, durationMs, spent }: RolePlayed,
): Promise<void> {
  await ash.record({
    at: new Date(clock.now()).toISOString(),
    agent,
    persona: agentFolder(vocabulary, 'rex'),
    task: task.id,
    end: RECORDED[end.kind],
    iterations,
    durationMs,
    tokens: { input: spent.tokens.inputTokens, output: spent.tokens.outputTokens },
    costUsd: spent.costUsd,
  })
}
