export type ReviewMode = 'per-task' | 'batch' | 'auto-approve' | 'skip'

/** From the most to the least restrictive: of several that apply, the first here holds. */
const MOST_RESTRICTIVE_FIRST: readonly ReviewMode[] = ['per-task', 'batch', 'auto-approve', 'skip']

export interface ReviewRules {
  readonly defaultMode: ReviewMode
  /** Mode by tag of the task. */
  readonly labels: Readonly<Record<string, ReviewMode>>
  readonly autoApprove: { readonly maxIterations: number }
}

/** What happened on the way, as far as it bears on whether a person must look. */
export interface Passage {
  readonly iterations: number
  readonly checksGreen: boolean
  /** A BLOCKED or PENDING, by anyone, at any time. */
  readonly hadStop: boolean
}

/** A label can only make the review stricter than the default: of all that apply, the most restrictive holds. */
export function reviewModeOf(tags: readonly string[], rules: ReviewRules): ReviewMode {
  const named = tags.flatMap((tag) => (Object.hasOwn(rules.labels, tag) ? [rules.labels[tag]] : []))
  const applying = [rules.defaultMode, ...named]
  return MOST_RESTRICTIVE_FIRST.find((mode) => applying.includes(mode)) ?? rules.defaultMode
}

export function meetsAutoApprove(passage: Passage, rules: ReviewRules): boolean {
  return passage.iterations <= rules.autoApprove.maxIterations && passage.checksGreen && !passage.hadStop
}

/** How a change that passed critic and auditor meets the person: not at all, alone, or shown with others. */
export type PersonsPart = 'none' | 'alone' | 'together'

export function personsPart(tags: readonly string[], passage: Passage, rules: ReviewRules): PersonsPart {
  switch (reviewModeOf(tags, rules)) {
    case 'skip':
      return 'none'
    case 'per-task':
      return 'alone'
    case 'auto-approve':
      return meetsAutoApprove(passage, rules) ? 'none' : 'alone'
    case 'batch':
      return meetsAutoApprove(passage, rules) ? 'none' : 'together'
  }
}
