import { resolve } from 'node:path'
import type { Command } from 'commander'
import { anchorsOf } from '../../canvas/anchors-of.ts'
import { followEdits } from '../../canvas/follow-edits.ts'
import type { Case, CaseId } from '../../cases/case.ts'
import { resolveConfig } from '../../config/resolve-config.ts'
import { type AssembledPrompt, assemblePrompt } from '../../personas/assemble-prompt.ts'
import {
  assignmentOf,
  checksOf,
  discoveriesFor,
  iterationOf,
  type Surroundings,
} from '../../personas/case-prompt.ts'
import { loadTokenizer } from '../../personas/count-tokens.ts'
import { estimateTokens } from '../../personas/estimate-tokens.ts'
import { readPersonaFolder } from '../../personas/persona-folder.ts'
import type { Check, PromptInput } from '../../personas/prompt-input.ts'
import {
  AGENTS,
  agentIdPrefix,
  agentOfRole,
  findRole,
  ROLES,
  type Role,
  rolesOfAgent,
} from '../../personas/roles.ts'
import { Failure } from '../../platform/failure.ts'
import { readInside } from '../../platform/files/read-inside.ts'
import { anchoredText, keptText } from '../../project/read-spec.ts'
import type { CaseRecord, Store } from '../../store/store.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import { parseWhole } from '../arguments.ts'
import { type Context, print } from '../context.ts'
import { type LoadedConfig, loadConfig } from '../load-config.ts'
import { type Project, withStore } from '../project.ts'
import { findCase } from './case/queries.ts'

/** No lineage of cases is deeper. */
const ANCESTORS_MAX = 100

interface Options {
  readonly raw?: boolean
  readonly exact?: boolean
  readonly budget?: number
}

export function define(command: Command, context: () => Context): void {
  command
    .argument('<persona>', `who would be asked: ${ROLES.join(', ')}, or a persona's name`)
    .argument('<case>', 'the case it would be about')
    .option('--raw', 'the prompt alone, as the agent gets it')
    .option('--exact', 'count with a tokenizer instead of an estimate; slower')
    .option('--budget <tokens>', 'as if the prompt had this much room', parseWhole)
    .addHelpText(
      'after',
      '\nExamples:\n  axiom prompt echo task-042\n  axiom prompt critic task-042 --raw\n  axiom prompt analyst task-042 --json',
    )
    .action((persona: string, id: string, options: Options) => showPrompt(context(), persona, id, options))
}

function showPrompt(context: Context, persona: string, id: string, options: Options): Promise<void> {
  return withStore(context, 'prompt', async (store, project) => {
    const { config, warnings } = await configOf(context, project)
    const { vocabulary } = project
    const role = roleCalled(vocabulary, persona)
    const subject = await findCase(store, id)
    const input = await promptInput(store, project, vocabulary, role, subject, checksOf(config.verification))
    const countTokens = options.exact ? await loadTokenizer() : estimateTokens
    const prompt = assemblePrompt(input, {
      countTokens,
      tokensMax: options.budget ?? config.prompts.maxTokens,
      discoveryTokensMax: config.knowledge.promptTokens,
    })
    const { parts, tokens, text, system, message, leftOut, problems } = prompt
    const counted = options.exact ? 'cl100k_base' : 'estimate'
    const value = {
      case: id,
      role,
      agent: input.agent,
      tokens,
      counted,
      parts,
      system,
      message,
      text,
      leftOut,
      problems,
    }
    const notes = [...warnings, ...problems.map(({ code, message: words }) => `${code}: ${words}`)]
    for (const note of notes) if (!context.json) context.err(note)
    print(context, value, () => (options.raw ? text.trimEnd() : describe(context, prompt, options)))
  })
}

/** A folder without a configuration has prompts all the same: those of the defaults. */
async function configOf(
  { env }: Context,
  { folder }: Project,
): Promise<Pick<LoadedConfig, 'config' | 'warnings'>> {
  try {
    return await loadConfig(folder, { env })
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'CONFIG_NOT_FOUND')) throw error
    return {
      config: resolveConfig({ env }).config,
      warnings: [`${error.code}: ${error.message}; defaults are used`],
    }
  }
}

function roleCalled(vocabulary: Vocabulary, persona: string): Role {
  const role = findRole(vocabulary, persona)
  if (role) return role
  const playing = AGENTS.filter((agent) => rolesOfAgent(agent).length > 0)
  const names = playing.map((agent) => agentIdPrefix(vocabulary, agent))
  throw new Failure('USAGE_PERSONA', `there is no agent to be asked that is called ${persona}`, {
    hint: `a persona (${names.join(', ')}) or a role (${ROLES.join(', ')})`,
  })
}

async function promptInput(
  store: Store,
  project: Project,
  vocabulary: Vocabulary,
  role: Role,
  subject: CaseRecord,
  checks: readonly Check[],
): Promise<PromptInput> {
  const agent = agentOfRole(role)
  const [files, around, discoveries, questions] = await Promise.all([
    readPersonaFolder(project.root, vocabulary, role),
    surroundingsOf(store, project, subject),
    store.query({ type: 'discovery', status: 'active' }),
    store.query({ type: 'pending', status: 'done' }),
  ])
  const holder = subject.leases?.develop?.holder
  const prefix = agentIdPrefix(vocabulary, agent)
  return {
    vocabulary,
    role,
    agent: holder?.startsWith(`${prefix}-`) ? holder : `${prefix}-NNN`,
    files,
    assignment: assignmentOf(subject, { ...around, checks }),
    discoveries: discoveriesFor(vocabulary, agent, discoveries),
    iteration: iterationOf(subject, questions),
  }
}

async function surroundingsOf(
  store: Store,
  project: Project,
  subject: CaseRecord,
): Promise<Omit<Surroundings, 'checks'>> {
  const ancestors: Case[] = []
  for (let id = subject.parentId; id !== null && ancestors.length < ANCESTORS_MAX; ) {
    const [parent] = await store.query({ ids: [id] })
    if (!parent) break
    ancestors.push(parent)
    id = parent.parentId
  }
  const dependsOn: readonly CaseId[] = subject.dependsOn ?? []
  const [dependencies, history, spec] = await Promise.all([
    dependsOn.length === 0 ? [] : store.query({ ids: dependsOn }),
    store.history(subject.id),
    specWords(store, project, subject, ancestors),
  ])
  const author = history[0]?.actor
  return {
    ancestors,
    dependencies,
    ...(author === undefined ? {} : { author }),
    ...(spec === undefined ? {} : { spec }),
  }
}

/**
 * The regions of the current document that the case covers. Text that an edit removed is not shown, nor is
 * other text in its place.
 */
async function specWords(
  store: Store,
  { folder }: Project,
  subject: Case,
  ancestors: readonly Case[],
): Promise<Surroundings['spec']> {
  const { specRef } = subject
  if (!specRef) return undefined
  const directive = ancestors.find(({ metadata }) => metadata.specFile === specRef.specFile)
  const kept = directive && (await keptText(store, directive))
  const text = (await readInside(folder, resolve(folder, specRef.specFile))) ?? kept
  if (text === undefined) return undefined
  const anchored = kept ?? (directive ? anchoredText(directive, text) : text)
  const { anchors } = followEdits(anchored, text, anchorsOf([subject], specRef.specFile))
  if (anchors.length === 0) return undefined
  return {
    origin: specRef.specFile,
    text: anchors.map(({ start, end }) => text.slice(start, end)).join('\n\n'),
  }
}

function describe({ colors }: Context, prompt: AssembledPrompt, options: Options): string {
  const about = options.exact ? '' : '≈ '
  const count = (tokens: number) => `${about}${tokens.toLocaleString('en')} tokens`
  const parts = prompt.parts
    .filter(({ text }) => text !== '')
    .map(({ name, tokens, text }) => `${colors.bold(`━━ ${name} · ${count(tokens)}`)}\n\n${text}\n`)
  const table = prompt.parts.map(({ name, tokens }) => `${name.padEnd(16)}${count(tokens).padStart(16)}`)
  const left = prompt.leftOut.length > 0 ? [`left out: ${prompt.leftOut.join(', ')}`] : []
  return [
    ...parts,
    colors.bold('━━ in all'),
    '',
    ...table,
    `${'together'.padEnd(16)}${count(prompt.tokens).padStart(16)}`,
    ...left,
  ].join('\n')
}
