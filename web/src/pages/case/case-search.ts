export const TABS = ['overview', 'diff', 'log', 'history'] as const
type Tab = (typeof TABS)[number]

/** The part of a case that is shown, and within it the log or the commit. */
export interface CaseSearch {
  readonly tab?: Tab
  readonly log?: string
  readonly commit?: string
}
