import type { Case } from '../../cases/case.ts'
import { dependenciesOf } from '../../cases/case.ts'
import { taskMetadata } from '../../cases/metadata.ts'
import { assignmentOf, checksOf, discoveriesFor, iterationOf } from '../../personas/case-prompt.ts'
import { readPersonaFolder } from '../../personas/persona-folder.ts'
import type { Iteration } from '../../personas/prompt-input.ts'
import { readTextTail } from '../../platform/files/read-text-tail.ts'
import { ancestorsOf } from '../../project/ancestors-of.ts'
import { expertsTold } from '../../project/experts.ts'
import { findingFeedback, noteFeedback, readNotes } from '../../project/task-notes.ts'
import { recoveryOf } from '../../runs/recovery-context.ts'
import type { RunOrder } from '../../runs/run-iterations.ts'
import { runLimits } from '../../runs/run-limits.ts'
import { describeSignals } from '../../signals/describe-signals.ts'
import type { RunWorld } from '../run-world.ts'
import { lastRun } from './run-metadata.ts'
import { executionLogOf } from './run-ports.ts'
import type { RunWorkspace } from './run-workspace.ts'

/** The prompt shows a few dozen entries; no more of the log is read, however long the task takes. */
const LOG_READ_BYTES_MAX = 1024 * 1024

/** Gathers the prompt of one run: its task, its context, what happened to it before. */
export async function orderRun(
  world: RunWorld,
  { agent, task, place }: { readonly agent: string; readonly task: Case; readonly place: RunWorkspace },
): Promise<RunOrder> {
  const { store, vocabulary, config, root } = world
  const { workspace } = place
  const [ancestors, dependencies, discoveries, files, experts] = await Promise.all([
    ancestorsOf(store, task),
    store.query({ ids: dependenciesOf(task) }),
    store.query({ type: 'discovery', status: 'active' }),
    readPersonaFolder(root, vocabulary, 'developer'),
    expertsTold(world, task, 'developer'),
  ])
  const execution = {
    ...taskMetadata(task.metadata).execution,
    workspace: `${vocabulary.workspaces}/${workspace.name}`,
    branch: workspace.branch,
  }
  const placed: Case = { ...task, metadata: { ...task.metadata, execution } }
  return {
    prompt: {
      vocabulary,
      role: 'developer',
      agent,
      files,
      assignment: {
        ...assignmentOf(placed, { ancestors, dependencies, checks: checksOf(config.verification) }),
        ...(experts.length > 0 ? { experts } : {}),
      },
      discoveries: discoveriesFor(vocabulary, 'echo', discoveries),
    },
    first: await firstIteration(world, placed, place),
    execution,
    head: place.head,
    limits: runLimits(config),
    assembly: { tokensMax: config.prompts.maxTokens, discoveryTokensMax: config.knowledge.promptTokens },
  }
}

/** Answers to its questions, messages that no agent has read, and the outcome of the last attempt. */
async function firstIteration(world: RunWorld, task: Case, place: RunWorkspace): Promise<Iteration> {
  const questions = await world.store.query({ type: 'pending', status: 'done', parentId: task.parentId })
  const { number, answers } = iterationOf(task, questions)
  const { execution } = taskMetadata(task.metadata)
  const { messages, cause, end } = lastRun(task)
  const recovery = recoveryOf({
    log: (await readTextTail(executionLogOf(world, task.id), LOG_READ_BYTES_MAX)) ?? '',
    end,
    commits: place.commits,
    restarts: execution?.retryCount ?? 0,
    reason: execution?.lastError,
  })
  const notes = await readNotes(world.store, task)
  const feedback = [
    ...findingFeedback(notes),
    ...noteFeedback(notes, 'developer', answers),
    ...(place.news ?? []),
    ...(cause === 'silent' ? [spelledSignals(world)] : []),
  ]
  return {
    number,
    ...(answers ? { answers } : {}),
    ...(recovery ? { recovery } : {}),
    ...(messages.length > 0 ? { messages } : {}),
    ...(feedback.length > 0 ? { feedback } : {}),
  }
}

function spelledSignals({ vocabulary }: RunWorld) {
  return {
    kind: 'finding' as const,
    title: 'How to signal',
    origin: 'the director',
    text: describeSignals('developer', vocabulary.signals),
  }
}
