/** The most frequent issues that people find, in one word each. */
export const QUICK_ISSUES = {
  bug: 'It does not do what the task says in every case.',
  tests: 'Tests are missing, or would not fail if the code were wrong.',
  errors: 'Failures are not dealt with, or are hidden.',
  naming: 'Names do not say what things are.',
  duplication: 'It repeats what is there already.',
  scope: 'It does more than the task asks for; take that out again.',
  security: 'It opens a hole: look at what comes from outside.',
  performance: 'It costs too much time or memory.',
  documentation: 'What changed for users is not written down.',
  style: 'It does not fit the code around it.',
} as const

export type QuickIssue = keyof typeof QUICK_ISSUES
export const QUICK_ISSUE_NAMES = Object.keys(QUICK_ISSUES) as readonly QuickIssue[]

/**
 * Where the work continues: in the workspace as it is, from the target again, or from an earlier commit of
 * the same task.
 */
export const REWORK_OPTIONS = ['keep', 'fresh', 'checkpoint'] as const
export type ReworkOption = (typeof REWORK_OPTIONS)[number]

/** One decision of a person about a change: an entry of `feedback/{task}.json`. */
export interface PersonsReview {
  /** How many iterations the work had at the time of the decision. */
  readonly iteration: number
  readonly time: string
  readonly by: string
  readonly commit: string
  readonly decision: 'approve' | 'changes'
  readonly issues: readonly QuickIssue[]
  readonly text: string | null
  readonly option: ReworkOption | null
  /** What may help the next agent, without being a fault of the change. */
  readonly hint: string | null
}

/** Decisions kept with a task; more rejections than this point to another problem. */
export const REVIEWS_KEPT_MAX = 100

/** The text for the developer. */
export function wordsOf({ issues, text, hint }: Pick<PersonsReview, 'issues' | 'text' | 'hint'>): string {
  return [
    ...issues.map((issue) => QUICK_ISSUES[issue]),
    ...(text === null ? [] : [text]),
    ...(hint === null ? [] : [`A hint: ${hint}`]),
  ].join('\n')
}
