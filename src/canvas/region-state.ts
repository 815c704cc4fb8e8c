import { type Case, isLive } from '../cases/case.ts'

/** From the least to the most finished; black has no case at all. */
export const REGION_STATES = ['black', 'gray', 'orange', 'purple', 'blue', 'red', 'green'] as const
export type RegionState = (typeof REGION_STATES)[number]

/** The colour that a case gives its region; undefined when it gives none. */
export function stateOfCase(subject: Case): RegionState | undefined {
  if (!isLive(subject)) return undefined
  switch (subject.type) {
    case 'draft':
      return 'gray'
    case 'research':
      return 'orange'
    case 'pending':
      return 'purple'
    case 'operation':
    case 'task':
      return subject.status === 'done' ? 'green' : 'blue'
    case 'deferred':
      return 'red'
    case 'directive':
    case 'discovery':
      return undefined
  }
}

/**
 * The case that decides the colour of a region: the least finished one. A draft, a research or a question
 * that is done yields to the cases it led to; without any it keeps its colour, because nothing was built.
 */
export function decidingCase(cases: readonly Case[]): Case | undefined {
  const colouring = cases.filter((subject) => stateOfCase(subject) !== undefined)
  const working = colouring.filter((subject) => !isAnsweredIdea(subject))
  const [first, ...rest] = working.length > 0 ? working : colouring
  if (first === undefined) return undefined
  return rest.reduce((least, subject) => (rank(subject) < rank(least) ? subject : least), first)
}

function isAnsweredIdea({ type, status }: Case): boolean {
  return status === 'done' && (type === 'draft' || type === 'research' || type === 'pending')
}

function rank(subject: Case): number {
  return REGION_STATES.indexOf(stateOfCase(subject) ?? 'black')
}
