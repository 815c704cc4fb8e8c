import type { Role } from '../signals/definition.ts'
import type { DeliveryState } from './delivery-state.ts'

export interface LadderLimits {
  readonly ownTries: number
  readonly expertTries: number
}

/** The next step: a try of the task's own agents, an expert, or the person. */
export type LadderStep = 'own' | 'expert' | 'person'

/** Where no expert fits, the task's own agents also get the tries of the experts. */
const OWN_TRIES_WITHOUT_EXPERT_FACTOR = 2

/** Own tries first, then experts, then the person; counted over the whole life of the task. */
export function nextStep(
  { ownTries, expertTries }: Pick<DeliveryState, 'ownTries' | 'expertTries'>,
  expertFits: boolean,
  limits: LadderLimits,
): LadderStep {
  if (!expertFits && expertTries === 0)
    return ownTries < limits.ownTries * OWN_TRIES_WITHOUT_EXPERT_FACTOR ? 'own' : 'person'
  if (ownTries < limits.ownTries) return 'own'
  return expertFits && expertTries < limits.expertTries ? 'expert' : 'person'
}

/** An expert as it was registered for a plan. */
export interface RegisteredExpert {
  readonly name: string
  /** Roles that may ask it; none named means every role that may ask at all. */
  readonly supports: readonly Role[]
  /** Tasks it was made for; none named means every task of the plan. */
  readonly tasks: readonly string[]
  readonly triggers: readonly { readonly role: string | null; readonly when: string }[]
}

export interface ExpertNeed {
  readonly task: string
  readonly role: Role
  /** The expert that the agent asked for by name, if it did. */
  readonly named: string | null
  /** The text to match: the question, the findings. */
  readonly text: string
}

/** Shorter words do not distinguish subjects. */
const WORD_CHARACTERS_MIN = 4

/**
 * The expert to ask. One asked for by name is taken if it may serve; otherwise the one whose triggers share the
 * most words with the need. No shared word, no expert: advice from the wrong one costs more than none.
 */
export function chooseExpert(
  experts: readonly RegisteredExpert[],
  need: ExpertNeed,
): RegisteredExpert | undefined {
  const able = experts.filter(
    ({ supports, tasks }) =>
      (supports.length === 0 || supports.includes(need.role)) &&
      (tasks.length === 0 || tasks.includes(need.task)),
  )
  const named = able.find(({ name }) => name.toLowerCase() === need.named?.trim().toLowerCase())
  if (named) return named
  const words = wordsOf(need.text)
  const ranked = able
    .map((expert) => ({ expert, shared: sharedWords(expert, need.role, words) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || compareNames(a.expert.name, b.expert.name))
  return ranked[0]?.expert
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function sharedWords(expert: RegisteredExpert, role: Role, words: ReadonlySet<string>): number {
  const triggers = expert.triggers.filter(
    (trigger) => trigger.role === null || trigger.role.trim().toLowerCase() === role,
  )
  const known = wordsOf(triggers.map(({ when }) => when).join(' '))
  return [...known].filter((word) => words.has(word)).length
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length >= WORD_CHARACTERS_MIN))
}

/** Vague words: a criterion with nothing else can be neither met nor missed. */
const WISHES =
  /\b(?:better|nice|nicer|good|clean|cleaner|properly|appropriate|appropriately|robust|user[- ]friendly|intuitive|as needed|etc)\b/gi
/** What a test can check: a number, a quotation, code, a path, a comparison, or an observable verb. */
const OBSERVABLE =
  /\d|["'`“”«»]|[\w-]+\.[a-z]{1,5}\b|\b(?:returns?|prints?|shows?|exits?|fails?|pass(?:es)?|rejects?|refuses?|accepts?|throws?|contains?|equals?|creates?|writes?|reads?|removes?|deletes?|keeps?|stays?|lists?|sends?|responds?|answers?|logs?|stores?|opens?|closes?|starts?|stops?|renders?|sorts?|match(?:es)?|supports?|exists?|is (?:empty|absent|unchanged|required|called|shown|written|refused)|no longer|never|always|every|each|only|when|given)\b/i
const CRITERION_WORDS_MIN = 2

/** Testable: a sentence that names something observable, not only a wish. */
export function isTestable(criterion: string): boolean {
  const words = criterion.trim().split(/\s+/)
  if (words.length < CRITERION_WORDS_MIN) return false
  return OBSERVABLE.test(criterion.replaceAll(WISHES, ''))
}

/**
 * Decides whether an analyst is needed: neither a criterion nor a command could show that the work is done.
 */
export function isUnderspecified(criteria: readonly string[], commands: readonly string[] = []): boolean {
  return commands.length === 0 && !criteria.some(isTestable)
}
