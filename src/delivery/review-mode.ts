export type ReviewMode = 'per-task' | 'batch' | 'auto-approve' | 'skip'

/** From the most to the least restrictive: of several that apply, the first one wins. */
const MOST_RESTRICTIVE_FIRST: readonly ReviewMode[] = ['per-task', 'batch', 'auto-approve', 'skip']

export interface ReviewRules {
  readonly defaultMode: ReviewMode
  /** Mode by tag of the task. */
  readonly labels: Readonly<Record<string, ReviewMode>>
  readonly autoApprove: { readonly maxIterations: number }
}

/** The facts of a delivery that decide whether a person must review it. */
export interface Passage {
  readonly iterations: number
  readonly checksGreen: boolean
  /** A BLOCKED or PENDING, from any role, at any time. */
  readonly hadStop: boolean
}

/**
 * A label can only make the review stricter than the default: of all that apply, the most restrictive wins.
 */
export function reviewModeOf(tags: readonly string[], rules: ReviewRules): ReviewMode {
  const named = tags.flatMap((tag) => (Object.hasOwn(rules.labels, tag) ? [rules.labels[tag]] : []))
  const applying = [rules.defaultMode, ...named]
  return MOST_RESTRICTIVE_FIRST.find((mode) => applying.includes(mode)) ?? rules.defaultMode
}

export function meetsAutoApprove(passage: Passage, rules: ReviewRules): boolean {
  return passage.iterations <= rules.autoApprove.maxIterations && passage.checksGreen && !passage.hadStop
}

/** How a change that passed critic and auditor is shown to the person: not at all, alone, or with others. */
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
