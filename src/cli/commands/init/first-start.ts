import { join } from 'node:path'
import { resolveConfig } from '../../../config/resolve-config.ts'
import type { Config } from '../../../config/schema.ts'
import { nameCheck } from '../../../planning/onboarding/draft-config.ts'
import { setUpProject } from '../../../planning/onboarding/set-up-project.ts'
import type { Prerequisite } from '../../../planning/prerequisites/prerequisite.ts'
import { readyAgents } from '../../../planning/prerequisites/probe-agents.ts'
import type { Repository } from '../../../planning/prerequisites/probe-git.ts'
import type { Proof, ProofLimits } from '../../../planning/proving/prove-commands.ts'
import { safeBranch } from '../../../platform/git/names.ts'
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts'
import type { Context } from '../../context.ts'
import { EXIT } from '../../exit-code.ts'
import { showPrerequisites } from '../doctor/command.ts'
import { type Consulted, chooseAva, consultAva, openWanted } from './ava/consult-ava.ts'
import { openAva } from './ava/open-ava.ts'
import { touchStore } from './examine-counters.ts'
import { checkPrerequisites, type Examined, examineProject, type Watcher } from './examine-project.ts'
import { makeFirstCommit } from './first-commit.ts'
import type { InitOptions } from './init-options.ts'
import { makeChoices } from './make-choices.ts'
import { openWalls, showWalls } from './open-walls.ts'
import { showOffers, showProof, showTeam, showUnit, showVerdict } from './show-init.ts'
import type { Start } from './start.ts'

/** Ava's first meeting with a project: look, try, ask where unsure, write. */
export async function firstStart(start: Start): Promise<void> {
  const { context, options, asker, repository, vocabulary } = start
  // Checked before anything is tried or written: no run would start with such a target.
  const target = options.target ?? repository.branch
  if (target !== undefined) safeBranch(target)
  const prerequisites = await checkPrerequisites(start.world, repository)
  const say = (...lines: readonly string[]): void =>
    context.json ? undefined : lines.forEach((line) => void context.out(line))
  say(...greeting(vocabulary, repository), ...trouble(prerequisites, context))
  const { config: settings } = resolveConfig({ env: start.world.env })
  const wanted = await openWanted(start, settings)
  const examined = await watchExamination(start, settings, say)
  const choices = await makeChoices(
    options,
    asker,
    repository,
    readyAgents(prerequisites),
    examined,
    vocabulary.name,
  )
  const limits = limitsOf(start.options, settings)
  const chosen = wanted === undefined ? await chooseAva(start, readyAgents(prerequisites)) : undefined
  const ava = chosen === undefined ? wanted : await openAva(start, chosen, settings)
  const consulted = await consultAva(start, ava, { examined, choices, limits, isReturning: false, say })
  const raw = consulted.config
  const { config, problems } = resolveConfig({ file: raw })
  await setUpProject(repository.root, vocabulary, raw)
  await touchStore(join(repository.root, vocabulary.folder))
  const committed = await makeFirstCommit(start)
  say(
    '',
    ...showVerdict(examined.proofs, config.verification.length, choices),
    ...problems.map(({ message }) => message),
  )
  say(
    ...section('Worth knowing:', showOffers(examined, choices)),
    ...section('Meet the team:', showTeam(vocabulary)),
  )
  say(
    '',
    `Wrote ${vocabulary.folder}/ with ${config.verification.length} ${config.verification.length === 1 ? 'check' : 'checks'}. No file of yours was changed.`,
  )
  say(...closing(committed !== 'missing', readyAgents(prerequisites).length > 0))
  if (context.json) context.out(JSON.stringify(summary(start, prerequisites, examined, consulted, committed)))
  if (committed === 'missing') context.exit(EXIT.personNeeded)
}

function greeting(vocabulary: Vocabulary, { root }: Repository): string[] {
  const { name } = vocabulary.personas.ava
  return [`Hello, I am ${name}. I get ${vocabulary.product} ready for ${root}.`, '']
}

function trouble(prerequisites: readonly Prerequisite[], { colors }: Context): string[] {
  const some = prerequisites.filter(({ status }) => status !== 'ok')
  return some.length === 0 ? [] : [showPrerequisites(some, colors), '']
}

async function watchExamination(
  start: Start,
  settings: Config,
  say: (...lines: readonly string[]) => void,
): Promise<Examined> {
  const { context, options, world, repository } = start
  let units: Examined['units'] = []
  const limits = options.prove ? limitsOf(options, settings) : undefined
  const watcher: Watcher = {
    found(all, sandbox) {
      units = all
      say('Found:', ...(all.length > 0 ? all.flatMap(showUnit) : ['  no tool chain that I know']), '')
      if (sandbox) say(showWalls(sandbox))
    },
    started: (command, folder) =>
      context.err(context.colors.dim(`  … ${folder === '' ? '' : `${folder}: `}${command}`)),
    ended: (proof: Proof) => say(...showProof(proof, units, context.colors)),
  }
  return examineProject(world, repository, limits, watcher, () => openWalls(start, settings))
}

const COMMAND_SECONDS_DEFAULT = 300

export function limitsOf({ proveTimeout }: InitOptions, { workspace }: Config): ProofLimits {
  return {
    setupSeconds: workspace.setupTimeout,
    commandSeconds: Number(proveTimeout ?? COMMAND_SECONDS_DEFAULT),
  }
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ['', title, ...lines.map((line) => (line.startsWith(' ') ? line : `  ${line}`))]
}

function closing(hasCommit: boolean, hasAgent: boolean): string[] {
  const need = 'axiom case create --type directive --content "When …, I want …, so that …"'
  if (hasCommit) return [`Next: ${need}`, ...(hasAgent ? [] : ['An agent can be installed: axiom doctor'])]
  return [
    '',
    'PREREQ_NO_COMMIT: the repository has no commit yet, and agents start from one.',
    '  Make it yourself: git add --all && git commit --message "Start"; or let me: axiom init --first-commit',
  ]
}

function summary(
  { repository, vocabulary }: Start,
  prerequisites: readonly Prerequisite[],
  { units, proofs, surroundings, sandbox }: Examined,
  { config, report }: Consulted,
  firstCommit: string,
): unknown {
  const tried = proofs.filter(({ kind }) => kind !== 'setup')
  return {
    start: 'first',
    root: repository.root,
    folder: vocabulary.folder,
    vocabulary: vocabulary.name,
    firstCommit,
    red: tried.some(({ outcome }) => outcome.kind === 'failed'),
    prerequisites,
    units,
    /** The sandbox level in which they were tried; `none` where they ran unconfined, as the user. */
    sandbox: sandbox === undefined ? null : sandbox.sandboxed ? sandbox.level : 'none',
    proofs: proofs.map((proof) => ({ ...proof, name: nameCheck(proof, units) })),
    surroundings,
    ...(report === undefined ? {} : { ava: report }),
    config,
  }
}
