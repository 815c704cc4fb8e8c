import type { Case } from '../cases/case.ts'
import { compareIds } from '../cases/ids.ts'
import { discoveryMetadata, taskMetadata } from '../cases/metadata.ts'
import type { Check as ConfiguredCheck } from '../config/work-options.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Answer, Assignment, Check, Dependency, Iteration, KnownDiscovery } from './prompt-input.ts'
import { type Agent, agentIdPrefix } from './roles.ts'

/** What a prompt needs to know around one case. */
export interface Surroundings {
  /** From the parent upwards. */
  readonly ancestors: readonly Case[]
  readonly dependencies: readonly Case[]
  /** The author of the case. */
  readonly author?: string
  /** The part of the specification that the case stands for. */
  readonly spec?: { readonly origin: string; readonly text: string }
  readonly checks: readonly Check[]
}

/** One case as an assignment. */
export function assignmentOf(subject: Case, around: Surroundings): Assignment {
  const { acceptanceCriteria, fileHints, verify = [], execution } = taskMetadata(subject.metadata)
  const operation = around.ancestors.find(({ type }) => type === 'operation')
  const directive = [subject, ...around.ancestors].find(({ type }) => type === 'directive')
  const isNeed = directive === subject
  return {
    id: subject.id,
    ...(isNeed ? {} : { content: subject.content }),
    ...(around.author === undefined ? {} : { author: around.author }),
    ...(acceptanceCriteria ? { criteria: acceptanceCriteria } : {}),
    ...(operation ? { operation: { id: operation.id, content: operation.content } } : {}),
    ...(directive ? { need: { id: directive.id, content: needOf(directive) } } : {}),
    ...(around.spec ? { spec: around.spec } : {}),
    ...(fileHints ? { files: fileHints } : {}),
    dependencies: around.dependencies.map(dependencyOf),
    checks: [...around.checks, ...verify.map((command) => ({ name: 'own check', command, required: true }))],
    ...(execution?.branch === undefined ? {} : { place: [`Branch \`${execution.branch}\``] }),
  }
}

/** The project's checks as an agent has to run them: once in each of their environments. */
export function checksOf(verification: readonly ConfiguredCheck[]): Check[] {
  return verification.flatMap(({ name, command, required, environments }) => {
    const names = Object.keys(environments)
    if (names.length === 0) return [{ name, command, required }]
    return names.map((environment) => ({ name, command, required, environment }))
  })
}

function needOf({ content, metadata }: Case): string {
  return typeof metadata.jtbd === 'string' && metadata.jtbd !== '' ? metadata.jtbd : content
}

function dependencyOf({ id, content, status, metadata }: Case): Dependency {
  const { execution, fileHints = [] } = taskMetadata(metadata)
  if (status !== 'done') return { id, content }
  return { id, content, landed: { commit: execution?.finalCommit ?? 'done', files: fileHints } }
}

/** The active discoveries for an agent's prompt: all global ones, and the local ones of its own kind. */
export function discoveriesFor(
  vocabulary: Vocabulary,
  agent: Agent,
  discoveries: readonly Case[],
): KnownDiscovery[] {
  const own = `${agentIdPrefix(vocabulary, agent)}-`
  return discoveries
    .filter(({ type, status }) => type === 'discovery' && status === 'active')
    .filter(({ metadata }) => {
      const { scope, sourceAgentId = '' } = discoveryMetadata(metadata)
      return scope === 'global' || sourceAgentId.startsWith(own)
    })
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map(knownDiscovery)
}

function knownDiscovery({ id, parentId, content, metadata }: Case): KnownDiscovery {
  const { sourceTaskId, sourceAgentId, category, impact, validated } = discoveryMetadata(metadata)
  return {
    id,
    work: sourceTaskId ?? parentId ?? 'unknown',
    agent: sourceAgentId ?? 'unknown',
    category: category ?? 'general',
    impact: impact ?? 'low',
    validated: validated ?? false,
    content,
  }
}

/**
 * What is new for the next iteration, as far as the cases record it: answers, and how the last attempt ended.
 */
export function iterationOf(subject: Case, questions: readonly Case[]): Iteration {
  const { execution } = taskMetadata(subject.metadata)
  const answers = settledQuestions(questions).flatMap((question) => answerIn(subject, question))
  const lastError = execution?.lastError
  return {
    number: (execution?.iterations ?? 0) + 1,
    ...(answers.length > 0 ? { answers } : {}),
    ...(lastError === undefined
      ? {}
      : {
          recovery: {
            reason: `The last attempt ended before it was done (restarts so far: ${execution?.retryCount ?? 0}). Its commits are on your branch: look at them first.`,
            log: { title: 'How it ended', origin: 'the log of the last attempt', text: lastError },
          },
        }),
  }
}

/** Of several questions that one answer settled at once, only the last: the answer is shown once. */
function settledQuestions(questions: readonly Case[]): Case[] {
  const wordOf = ({ metadata, updatedAt }: Case) =>
    JSON.stringify([metadata.waitingTask, metadata.decision, updatedAt])
  return [...new Map(questions.map((question) => [wordOf(question), question])).values()]
}

function answerIn(subject: Case, { content, metadata }: Case): Answer[] {
  if (metadata.waitingTask !== subject.id || typeof metadata.decision !== 'string') return []
  const question = typeof metadata.question === 'string' ? metadata.question : content
  return [{ question, answer: metadata.decision, by: 'the person' }]
}
