import { describeSignals } from '../signals/describe-signals.ts'
import { speakAs } from '../vocabulary/speak-as.ts'
import { assignmentText } from './assignment-text.ts'
import type { CountTokens } from './count-tokens.ts'
import { discoveriesText, keepUseful } from './discoveries-text.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { iterationText } from './iteration-text.ts'
import { keepRole, writePromptFile, writeRulesFile } from './persona-files.ts'
import type { KnownDiscovery, PromptInput } from './prompt-input.ts'
import { agentFolder, agentOfRole } from './roles.ts'
import { effectiveRule, sharedRules } from './shared-rules.ts'
import { type Skill, skillFaults, skillRelevance } from './skill.ts'
import { writeClosing } from './texts/closings.ts'
import { wordsOf } from './words.ts'

/** The default size of a prompt; the agent needs the rest of its context for the work. */
export const PROMPT_TOKENS_DEFAULT = 24_000
/** Reserved for feedback in every iteration, so that its arrival does not change which skills are chosen. */
const FEEDBACK_RESERVE_SHARE = 0.2
/**
 * How much of each piece of outside material is quoted: at first, and in two steps if the prompt is still too
 * long.
 */
const MATERIAL_CHARACTERS = [20_000, 5_000, 1_500]

export type PartName =
  | 'shared rules'
  | 'persona rules'
  | 'persona prompt'
  | 'skills'
  | 'assignment'
  | 'discoveries'
  | 'iteration'

export interface PromptPart {
  readonly name: PartName
  readonly text: string
  readonly tokens: number
}

export interface PromptProblem {
  readonly code: 'PROMPT_FILE_MISSING' | 'PROMPT_RULE_IGNORED' | 'PROMPT_SKILL_FORM' | 'PROMPT_OVER_BUDGET'
  readonly path: string
  readonly message: string
}

export interface AssembledPrompt {
  /** Rules, prompt and skills: the same for every iteration and every piece of work of this role. */
  readonly system: string
  /** Assignment, discoveries and what is new. */
  readonly message: string
  /** Both, in this order. */
  readonly text: string
  readonly parts: readonly PromptPart[]
  readonly tokens: number
  /** Skills and discoveries that did not fit, in the order in which they were dropped. */
  readonly leftOut: readonly string[]
  readonly problems: readonly PromptProblem[]
}

interface Choice {
  readonly skills: readonly Skill[]
  readonly discoveries: readonly KnownDiscovery[]
  readonly materialCharactersMax: number
}

export interface AssemblyOptions {
  readonly tokensMax?: number
  /** Limit for discoveries, however much room there is in all. */
  readonly discoveryTokensMax?: number
  readonly countTokens?: CountTokens
}

/**
 * Assembles a prompt: shared rules, persona rules, persona prompt, skills, then the assignment, discoveries,
 * and last what is new in this iteration. The unchanging part comes first, so that a provider's cache can
 * keep it.
 */
export function assemblePrompt(input: PromptInput, options: AssemblyOptions = {}): AssembledPrompt {
  const { tokensMax = PROMPT_TOKENS_DEFAULT, countTokens = estimateTokens } = options
  const problems: PromptProblem[] = []
  const fixed = personaTexts(input, problems)
  const skills = input.files.skills.toSorted((a, b) => (a.file < b.file ? -1 : 1))
  for (const skill of skills) problems.push(...skillProblems(input, skill, countTokens))

  const render = (choice: Choice) => renderParts(input, fixed, choice)
  const measure = (texts: Texts) => {
    const iteration = Math.max(countTokens(texts.iteration), tokensMax * FEEDBACK_RESERVE_SHARE)
    return countTokens([...Object.values({ ...texts, iteration: '' })].join('\n\n')) + iteration
  }
  const fitsDiscoveries = (discoveries: readonly KnownDiscovery[]) =>
    countTokens(discoveriesText(input.vocabulary, discoveries)) <=
    (options.discoveryTokensMax ?? Number.POSITIVE_INFINITY)
  const known = keepUseful(input.discoveries, fitsDiscoveries)
  const { choice, leftOut, fits } = fitToBudget(
    input,
    skills,
    known.kept,
    (tried) => measure(render(tried)) <= tokensMax,
  )
  const parts = Object.entries(render(choice)).map(([name, text]) => ({
    name: name as PartName,
    text,
    tokens: countTokens(text),
  }))
  if (!fits) problems.push(overBudget(parts, tokensMax))
  return { ...joined(parts), parts, leftOut: [...known.leftOut, ...leftOut], problems }
}

type Texts = Readonly<Record<PartName, string>>
type FixedTexts = Pick<Texts, 'shared rules' | 'persona rules' | 'persona prompt'>

function renderParts(input: PromptInput, fixed: FixedTexts, choice: Choice): Texts {
  const { vocabulary, role, agent, assignment } = input
  const closing = writeClosing(role, wordsOf(vocabulary, [role])).replace(/\[\w+ id\]/g, assignment.id)
  const first = input.iteration.feedback?.length ? 'Take the points above first, one by one. ' : ''
  const news = iterationText(input.iteration)
  return {
    ...fixed,
    skills: choice.skills.map(({ text }) => text.trim()).join('\n\n'),
    assignment: assignmentText(vocabulary, agent, assignment, choice.materialCharactersMax),
    discoveries: discoveriesText(vocabulary, choice.discoveries),
    iteration: [news, `# Now\n\n${first}${closing}`].filter((text) => text !== '').join('\n\n'),
  }
}

function personaTexts(input: PromptInput, problems: PromptProblem[]): FixedTexts {
  const { vocabulary, role, files } = input
  const agent = agentOfRole(role)
  const folder = `${vocabulary.folder}/agents/${agentFolder(vocabulary, agent)}`
  const ownOrDefault = (own: string | undefined, name: string, write: () => string) => {
    if (own === undefined) problems.push(missing(`${folder}/${name}`))
    return keepRole(own ?? write(), role).trim()
  }
  return {
    'shared rules': sharedText(input, problems),
    'persona rules': ownOrDefault(files.rules, 'rules.md', () => writeRulesFile(vocabulary, agent)),
    'persona prompt': ownOrDefault(files.prompt, 'prompt.md', () => writePromptFile(vocabulary, agent)),
  }
}

/**
 * Signals always come from the registry; the other three rules include the project's additions; then the
 * project's own.
 */
function sharedText({ vocabulary, role, files }: PromptInput, problems: PromptProblem[]): string {
  const rules = sharedRules(vocabulary)
  const texts = rules.map((rule) => {
    const own = files.shared.get(rule.file)
    const { text, ignored } = effectiveRule(rule, own)
    const path = `${vocabulary.folder}/rules/${rule.file}`
    if (own === undefined) problems.push(missing(path))
    if (ignored) problems.push(ignoredChange(path, rule.extensible))
    return rule.file === vocabulary.files.rules.signals
      ? speakAs(vocabulary, describeSignals(role, vocabulary.signals))
      : text
  })
  const known = new Set(rules.map(({ file }) => file))
  const further = [...files.shared]
    .filter(([file]) => !known.has(file))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [...texts, ...further.map(([, text]) => text)].map((text) => text.trim()).join('\n\n')
}

/** Drops skills, least fitting first; then discoveries, least useful first; then shortens what is quoted. */
function fitToBudget(
  input: PromptInput,
  allSkills: readonly Skill[],
  discoveries: readonly KnownDiscovery[],
  fits: (choice: Choice) => boolean,
): { choice: Choice; leftOut: string[]; fits: boolean } {
  const { content = '', criteria = [], files = [] } = input.assignment
  const work = [content, ...criteria, ...files].join('\n')
  const byRelevance = allSkills
    .map((skill) => ({ skill, relevance: skillRelevance(skill, work) }))
    .toSorted((a, b) => a.relevance - b.relevance)
    .map(({ skill }) => skill)
  const leftOut: string[] = []
  let choice: Choice = {
    skills: allSkills,
    discoveries,
    materialCharactersMax: MATERIAL_CHARACTERS[0] ?? 0,
  }
  for (const least of byRelevance) {
    if (fits(choice)) return { choice, leftOut, fits: true }
    choice = { ...choice, skills: choice.skills.filter((skill) => skill !== least) }
    leftOut.push(least.file)
  }
  const known = keepUseful(choice.discoveries, (tried) => fits({ ...choice, discoveries: tried }))
  choice = { ...choice, discoveries: known.kept }
  leftOut.push(...known.leftOut)
  for (const materialCharactersMax of MATERIAL_CHARACTERS.slice(1)) {
    if (fits(choice)) return { choice, leftOut, fits: true }
    choice = { ...choice, materialCharactersMax }
  }
  return { choice, leftOut, fits: fits(choice) }
}

const STABLE: readonly PartName[] = ['shared rules', 'persona rules', 'persona prompt', 'skills']

function joined(
  parts: readonly PromptPart[],
): Pick<AssembledPrompt, 'system' | 'message' | 'text' | 'tokens'> {
  const join = (texts: readonly PromptPart[]) =>
    texts
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n')
  const system = join(parts.filter(({ name }) => STABLE.includes(name)))
  const message = join(parts.filter(({ name }) => !STABLE.includes(name)))
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  return { system, message, text: `${system}\n\n${message}\n`, tokens }
}

function skillProblems(
  { vocabulary, role }: PromptInput,
  skill: Skill,
  countTokens: CountTokens,
): PromptProblem[] {
  const folder = agentFolder(vocabulary, agentOfRole(role))
  const path = `${vocabulary.folder}/agents/${folder}/skills/${skill.file}`
  return skillFaults(skill, countTokens).map((fault) => ({
    code: 'PROMPT_SKILL_FORM',
    path,
    message: `The skill ${path} is used, but ${fault}.`,
  }))
}

function missing(path: string): PromptProblem {
  return {
    code: 'PROMPT_FILE_MISSING',
    path,
    message: `${path} is missing; the default is used. \`axiom init\` writes it again.`,
  }
}

function ignoredChange(path: string, extensible: string | undefined): PromptProblem {
  const allowed =
    extensible === undefined ? 'It cannot be changed.' : `Only entries under "## ${extensible}" can be added.`
  return {
    code: 'PROMPT_RULE_IGNORED',
    path,
    message: `${path} was edited where the protocol is fixed; that edit has no effect. ${allowed}`,
  }
}

function overBudget(parts: readonly PromptPart[], tokensMax: number): PromptProblem {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  return {
    code: 'PROMPT_OVER_BUDGET',
    path: '',
    message: `The prompt has ${tokens} tokens; with room for feedback it should stay under ${tokensMax}. Rules, criteria and feedback are never cut: make the task or the rules shorter.`,
  }
}
