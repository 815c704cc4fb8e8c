import type { Case } from '../../cases/case.ts'
import type { Metadata } from '../../cases/metadata.ts'
import type { Config } from '../../config/schema.ts'

/** The metadata key of a question that tells which problem of the whole project it is about. */
export const MATTER_KEY = 'matter'
const CONTEXT_CHARACTERS_MAX = 2_000
const MINUTE_MS = 60_000

export type ProjectQuestionKind =
  | 'user-rewritten'
  | 'user-conflict'
  | 'user-red'
  | 'target-deleted'
  | 'publish-refused'
  | 'remote-rewritten'
  | 'remote-missing'
  | 'repair-unpaid'

/**
 * A problem with the user's branch, the remote or a repair: it blocks no single task, and only a person can
 * settle it.
 */
export interface ProjectQuestion {
  readonly kind: ProjectQuestionKind
  /** The same problem has the same name, and is asked about once. */
  readonly name: string
  readonly context: string
  /** The commit that it is about. */
  readonly commit?: string
}

export interface AskedQuestion {
  readonly kind: ProjectQuestionKind
  readonly name: string
  readonly commit: string | null
  /** Whether the answer has been followed. */
  readonly followed: boolean
}

export type ProjectQuestionOption = 'merge' | 'mine' | 'restore' | 'follow' | 'lift' | 'retry' | 'leave'

interface Option {
  readonly label: ProjectQuestionOption
  readonly tradeOff: string
}

interface Question {
  readonly code: string
  readonly question: string
  readonly options: readonly Option[]
  /** The default after the time limit; null where nothing continues before a person decides. */
  readonly fallback: ProjectQuestionOption | null
}

const LEAVE: Option = { label: 'leave', tradeOff: 'nothing is changed, and this is not asked again' }
const RETRY: Option = { label: 'retry', tradeOff: 'it is looked at once more' }

export const PROJECT_QUESTIONS: Readonly<Record<ProjectQuestionKind, Question>> = {
  'user-rewritten': {
    code: 'REMOTE_FORCE_PUSH',
    question: 'Your branch was rewritten: it no longer has commits that were taken in. What counts?',
    options: [
      { label: 'merge', tradeOff: 'your branch and everything that landed, joined and checked' },
      { label: 'mine', tradeOff: 'your branch as it is; what landed and is not in it is taken back' },
      LEAVE,
    ],
    fallback: 'leave',
  },
  'user-conflict': {
    code: 'USER_COMMITS_CONFLICT',
    question: 'Your own commits conflict with what has landed. How shall they come together?',
    options: [
      RETRY,
      { label: 'mine', tradeOff: 'your branch as it is; what landed and is not in it is taken back' },
      LEAVE,
    ],
    fallback: 'retry',
  },
  'user-red': {
    code: 'USER_COMMITS_RED',
    question: 'Your own commits are red on the target and were not taken in. How shall it go on?',
    options: [RETRY, LEAVE],
    fallback: 'retry',
  },
  'target-deleted': {
    code: 'PUBLISH_REFUSED',
    question: 'Your branch is gone; what has landed is safe. Shall it be made again?',
    options: [{ label: 'restore', tradeOff: 'the branch is made again with everything that landed' }, LEAVE],
    fallback: 'leave',
  },
  'publish-refused': {
    code: 'PUBLISH_REFUSED',
    question: 'What has landed cannot be brought to your branch without losing something of yours.',
    options: [RETRY, LEAVE],
    fallback: 'retry',
  },
  'remote-rewritten': {
    code: 'REMOTE_FORCE_PUSH',
    question: "The remote's target was rewritten, and nothing is offered to it. What counts?",
    options: [
      {
        label: 'follow',
        tradeOff: "the remote's target; what was on record is kept under refs/axiom/rescue",
      },
      LEAVE,
    ],
    fallback: null,
  },
  'remote-missing': {
    code: 'REMOTE_FETCH_FAILED',
    question: 'The remote no longer has the branch that work lands on. How shall it go on?',
    options: [{ label: 'restore', tradeOff: 'it is pushed again as it was last seen' }, LEAVE],
    fallback: null,
  },
  'repair-unpaid': {
    code: 'BUDGET_SPENT',
    question: 'The repair that all work waits for has no budget left. Shall it go on?',
    options: [
      { label: 'lift', tradeOff: 'the repair goes on, and that budget limits nothing any more' },
      { label: 'leave', tradeOff: 'nothing new is begun until the budget is raised' },
    ],
    fallback: null,
  },
}

/** The metadata of a project question: it waits as long as a conflict does. */
export function questionMetadata(
  { kind, name, context, commit }: ProjectQuestion,
  { minutes }: Config['integration']['escalation'],
  nowMs: number,
): Metadata {
  const { question, options, fallback } = PROJECT_QUESTIONS[kind]
  const asked: AskedQuestion = { kind, name, commit: commit ?? null, followed: false }
  return {
    question,
    options,
    context: context.slice(0, CONTEXT_CHARACTERS_MAX),
    decision: null,
    raisedBy: 'director',
    ...(fallback === null ? {} : { fallback, deadline: new Date(nowMs + minutes * MINUTE_MS).toISOString() }),
    [MATTER_KEY]: asked,
  }
}

export function projectQuestionOf({
  type,
  metadata,
}: Pick<Case, 'type' | 'metadata'>): AskedQuestion | undefined {
  const matter = type === 'pending' ? (metadata[MATTER_KEY] as AskedQuestion | null | undefined) : undefined
  return matter && matter.kind in PROJECT_QUESTIONS ? matter : undefined
}

/**
 * The option that the first word of an answer names; undefined when a question of this kind does not offer
 * it.
 */
export function optionIn(kind: ProjectQuestionKind, answer: string): ProjectQuestionOption | undefined {
  const [first = ''] = answer.trim().toLowerCase().split(/\W+/, 1)
  return PROJECT_QUESTIONS[kind].options.find(({ label }) => label === first)?.label
}

/** The possible answers to a question of this kind. */
export function optionNames(kind: ProjectQuestionKind): string {
  return PROJECT_QUESTIONS[kind].options.map(({ label }) => label).join(', ')
}
