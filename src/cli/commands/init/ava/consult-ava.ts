import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Usage } from '../../../../agents/driver.ts'
import type { Config } from '../../../../config/schema.ts'
import { readPersonaFolder } from '../../../../personas/persona-folder.ts'
import { listFiles } from '../../../../planning/detection/list-files.ts'
import {
  type Choices,
  draftChecks,
  draftConfig,
  inFolder,
} from '../../../../planning/onboarding/draft-config.ts'
import type { Proposal } from '../../../../planning/onboarding/read-proposal.ts'
import {
  type Consent,
  changesLanding,
  type Draft,
  omittedChecks,
  type Settled,
} from '../../../../planning/onboarding/settle-proposal.ts'
import { askGit } from '../../../../planning/prerequisites/ask-program.ts'
import { makeCheckout } from '../../../../planning/proving/checkout.ts'
import type { ProofLimits } from '../../../../planning/proving/prove-commands.ts'
import { plain } from '../../../render/plain-text.ts'
import type { Examined } from '../examine-project.ts'
import type { Start } from '../start.ts'
import { type OpenedAva, openAva } from './open-ava.ts'
import { type Talk, talkWithAva } from './talk-with-ava.ts'
import { tryProposal } from './try-proposal.ts'

const TURN_SECONDS_DEFAULT = 900

/** The result of consulting an agent, for people and for scripts. */
export interface AvaReport {
  readonly driver: string
  readonly sandbox: string
  readonly result: 'proposal' | 'rules'
  /** Why the configuration from the rules is kept. */
  readonly reason?: string
  readonly question?: string
  readonly faults: readonly string[]
  readonly notes: readonly string[]
  readonly iterations: number
  readonly costUsd: number
  readonly usage: Usage
}

export interface Consulted {
  readonly config: Record<string, unknown>
  readonly report?: AvaReport
}

export interface Consultation {
  readonly examined: Examined
  readonly choices: Choices
  readonly limits: ProofLimits
  readonly isReturning: boolean
  /** The configuration file of a project that is set up already. */
  readonly present?: unknown
  say(...lines: readonly string[]): void
}

/** The agent program that plays Ava: from the flag, else from an answer, else none. */
export async function chooseAva(
  { asker, context, options }: Start,
  ready: readonly string[],
): Promise<string | undefined> {
  if (options.agent !== undefined) return options.agent
  if (!context.interactive || options.yes === true || !options.prove || ready.length === 0) return undefined
  const chosen = await asker.choose(
    'Shall an agent look at the project, too? It works in a throwaway copy and uses your account, which may cost money.',
    [
      { value: 'no', label: 'no, the rules are enough' },
      ...ready.map((value) => ({ value, label: `yes, ${value}` })),
    ],
    'no',
  )
  return chosen === 'no' ? undefined : chosen
}

/** The flag is checked before the long trial of the rules begins. */
export async function openWanted(start: Start, config: Config): Promise<OpenedAva | undefined> {
  return start.options.agent === undefined ? undefined : openAva(start, start.options.agent, config)
}

/**
 * Lets Ava propose, tries the proposal, and takes the parts that passed. Without Ava, returns the rules'
 * configuration.
 */
export async function consultAva(
  start: Start,
  ava: OpenedAva | undefined,
  consultation: Consultation,
): Promise<Consulted> {
  const draft = draftOf(consultation)
  if (ava === undefined) return { config: { ...draft.config } }
  const { say } = consultation
  const sandbox = ava.report.sandboxed ? ava.report.level : 'no sandbox'
  const name = start.vocabulary.personas.ava.name
  say('', `${name} looks around (${ava.driver.name}; ${sandbox}, network ${ava.report.network}):`)
  const talk = await converse(start, ava, draft, consultation)
  const settled = await settle(start, ava, draft, talk, consultation)
  const report = reportOf(ava, sandbox, talk, settled)
  say(...showReport(name, report))
  return { config: settled?.kind === 'taken' ? settled.config : { ...draft.config }, report }
}

function draftOf({ examined: { units, proofs }, choices }: Consultation): Draft {
  return {
    config: draftConfig(units, proofs, choices),
    checks: draftChecks(units, proofs, choices),
    passed: proofs
      .filter(({ kind, outcome }) => kind !== 'setup' && outcome.kind === 'passed')
      .map(({ folder, command }) => inFolder(folder, command)),
  }
}

async function converse(
  start: Start,
  ava: OpenedAva,
  draft: Draft,
  { examined, isReturning, present, say }: Consultation,
): Promise<Talk> {
  const { asker, context, options, repository, vocabulary, world } = start
  const files = await listFiles(world, repository)
  await using checkout = await makeCheckout(world, repository, files)
  return await talkWithAva({
    ava,
    checkout,
    secondsMax: Number(options.agentTimeout ?? TURN_SECONDS_DEFAULT),
    subject: {
      vocabulary,
      files: await readPersonaFolder(repository.root, vocabulary, 'onboarding'),
      examined,
      draft: draft.config,
      present,
      branch: repository.branch,
      isReturning,
      canAsk: context.interactive && options.yes !== true,
    },
    told: (message) => say(...indented(message)),
    ask: (question) => asker.answer(plain(question)),
  })
}

function indented(message: string): string[] {
  return plain(message)
    .trim()
    .split('\n')
    .map((line) => `  | ${line}`)
}

async function settle(
  start: Start,
  ava: OpenedAva,
  draft: Draft,
  { outcome }: Talk,
  consultation: Consultation,
): Promise<Settled | undefined> {
  if (outcome.kind !== 'proposal') return undefined
  const consent = await askConsent(start, draft, outcome.proposal)
  return tryProposal(start, ava, draft, outcome.proposal, consent, consultation)
}

/**
 * Weaker checks, files that agents may read and another way to land need the user's consent; the default is
 * no.
 */
async function askConsent(
  { asker, repository, world }: Start,
  draft: Draft,
  proposal: Proposal,
): Promise<Consent> {
  const leaveOut: string[] = []
  for (const { command } of omittedChecks(draft, proposal)) {
    if (await asker.confirm(`The proposal leaves out ${command}. Leave it out?`, false))
      leaveOut.push(command)
  }
  const files = proposal.copy.filter((path) => existsSync(join(repository.root, path)))
  const question = 'Which of these files should be copied into workspaces? Agents can read them.'
  const copy = files.length === 0 ? [] : await asker.chooseSome(question, files)
  return { leaveOut, copy, landing: await askLanding() }

  async function askLanding(): Promise<boolean> {
    if (!changesLanding(draft, proposal)) return false
    const { target, mode } = proposal
    const there = { ...world, cwd: repository.root }
    const isKnown =
      target === undefined ||
      (await askGit(there, 'rev-parse', '--verify', '--quiet', `refs/heads/${target}`)) !== undefined
    if (!isKnown) return false
    const words = [mode, target].filter((word) => word !== undefined).join(', ')
    return asker.confirm(`The proposal lands work by ${words}. Take that over?`, false)
  }
}

function reportOf(
  ava: OpenedAva,
  sandbox: string,
  { outcome, iterations, costUsd, usage }: Talk,
  settled: Settled | undefined,
): AvaReport {
  const base = { driver: ava.driver.name, sandbox, iterations, costUsd, usage }
  if (settled?.kind === 'taken') return { ...base, result: 'proposal', faults: [], notes: settled.notes }
  const rules = { ...base, result: 'rules', notes: [] } as const
  if (settled?.kind === 'refused') {
    return { ...rules, reason: `the proposal is worse than the rules: ${settled.reason}`, faults: [] }
  }
  if (outcome.kind === 'question') {
    return { ...rules, reason: 'she asked, and nobody can answer', question: outcome.question, faults: [] }
  }
  return outcome.kind === 'nothing'
    ? { ...rules, reason: outcome.reason, faults: outcome.faults }
    : { ...rules, reason: 'nothing was proposed', faults: [] }
}

const COST_DIGITS = 4

function showReport(name: string, report: AvaReport): string[] {
  const { usage, costUsd, iterations } = report
  const tokens = usage.inputTokens + usage.cachedInputTokens + usage.outputTokens
  const cost = costUsd > 0 ? `, ${costUsd.toFixed(COST_DIGITS)} USD` : ''
  const spent = `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}, ${tokens} tokens${cost}`
  const head =
    report.result === 'proposal'
      ? `${name}'s proposal is taken over as far as it was proven (${spent}).`
      : `The result of the rules stands: ${plain(report.reason ?? '')} (${spent}).`
  return [
    '',
    head,
    ...(report.question === undefined ? [] : [`  question: ${plain(report.question)}`]),
    ...[...report.faults, ...report.notes].map((line) => `  ${plain(line)}`),
  ]
}
