import type { CaseType } from '../cases/case.ts'
import { NEEDS_PARENT, parentsFor, TRANSITIONS } from '../cases/case-types.ts'
import { identityOf } from '../personas/identities.ts'
import { AGENTS, agentIdPrefix } from '../personas/roles.ts'
import { QUICK_ISSUES } from '../project/interventions/review-task.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { CaseWords, ProjectWords } from './contract.ts'

/**
 * The names that the pages show and the case rules that their forms follow, so that the pages need no
 * vocabulary.
 */
export function projectWords(vocabulary: Vocabulary): ProjectWords {
  const { name, product, folder, cases } = vocabulary
  const types = Object.keys(cases) as CaseType[]
  return {
    vocabulary: name,
    product,
    folder,
    cases: Object.fromEntries(types.map((type) => [type, caseWords(vocabulary, type)])) as Record<
      CaseType,
      CaseWords
    >,
    personas: AGENTS.map((agent) => {
      const identity = identityOf(vocabulary, agent)
      const { name: called, role, emoji, colour } = identity
      return { prefix: agentIdPrefix(vocabulary, agent), name: called, role, emoji, colour }
    }),
    quickIssues: QUICK_ISSUES,
  }
}

function caseWords({ cases }: Vocabulary, type: CaseType): CaseWords {
  const { name, plural, symbol, colour, square } = cases[type]
  return {
    name,
    plural,
    symbol,
    colour,
    square,
    becomes: TRANSITIONS[type],
    parents: parentsFor(type),
    needsParent: NEEDS_PARENT.includes(type),
  }
}
