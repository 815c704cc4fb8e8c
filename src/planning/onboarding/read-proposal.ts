import { resolveConfig } from '../../config/resolve-config.ts'
import { isObject, type JsonObject } from '../../config/value-path.ts'
import type { Check } from '../../config/work-options.ts'

/** An agent's proposal for the configuration: well-formed, but entirely unproven. */
export interface Proposal {
  readonly checks: readonly Check[]
  /** Absent when the proposal keeps the rules' set-up. */
  readonly setup?: readonly string[]
  readonly setupTimeout?: number
  readonly variables: Readonly<Record<string, string>>
  /** Files that agents could read from then on, which a person has to approve. */
  readonly copy: readonly string[]
  readonly target?: string
  readonly mode?: 'direct' | 'pull-request'
}

export type ProposalReading =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }

/** The options that a proposal may set; every other one is refused. */
const ALLOWED: Readonly<Record<string, readonly string[] | undefined>> = {
  verification: undefined,
  workspace: ['setup', 'setupTimeout', 'variables', 'copy'],
  integration: ['mode', 'target'],
}

const FAULTS_MAX = 30
const BLOCK = /^(`{3,}|~{3,})json[ \t]*\n([\s\S]*?)^\1[`~]*[ \t]*$/gim

/** Reads the last json block in the messages; never throws, and reports every fault at once. */
export function readProposal(messages: readonly string[]): ProposalReading {
  const text = lastBlock(messages)
  if (text === undefined) return faulty(['there is no fenced json block with the configuration'])
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return faulty([`the json block is no JSON: ${error instanceof Error ? error.message : String(error)}`])
  }
  if (!isObject(raw)) return faulty(['the json block must hold one object'])
  const { config, problems } = resolveConfig({ file: raw })
  const foreign = foreignKeys(raw)
  const faults = [
    ...(raw.verification === undefined ? ['verification is missing; an empty list must be written out'] : []),
    ...foreign.map((key) => `${key} is not for you to propose`),
    ...problems
      .filter(({ key }) => !foreign.some((known) => key === known || key.startsWith(`${known}.`)))
      .map(({ message }) => withoutRemedy(message)),
    ...lineFaults(config),
  ]
  if (faults.length > 0) return faulty(faults)
  return { kind: 'proposal', proposal: proposalOf(raw, config) }
}

function faulty(faults: readonly string[]): ProposalReading {
  return { kind: 'faulty', faults: faults.slice(0, FAULTS_MAX) }
}

/** Blocks before the last may be quotations, such as a manifest that the agent read. */
function lastBlock(messages: readonly string[]): string | undefined {
  for (const message of messages.toReversed()) {
    const block = [...message.replaceAll('\r\n', '\n').matchAll(BLOCK)].at(-1)
    if (block !== undefined) return block[2] ?? ''
  }
  return undefined
}

function foreignKeys(raw: JsonObject): string[] {
  return Object.entries(raw).flatMap(([key, value]) => {
    if (!Object.hasOwn(ALLOWED, key)) return [key]
    const inner = ALLOWED[key]
    if (inner === undefined || !isObject(value)) return []
    return Object.keys(value)
      .filter((name) => !inner.includes(name))
      .map((name) => `${key}.${name}`)
  })
}

/**
 * A config file falls back to defaults; a proposal is returned to the agent, so only the fault is reported.
 */
function withoutRemedy(message: string): string {
  return message
    .replace(/; (?:the default .* is used|it is left out|the entry is left out)$/, '')
    .replace(/^(unknown key \S+) is ignored/, '$1')
}

type Config = ReturnType<typeof resolveConfig>['config']

// biome-ignore lint/suspicious/noControlCharactersInRegex: a control character can hide what a line does
const UNSEEN = /[\u0000-\u001f\u007f-\u009f]|\p{Bidi_Control}/u

function lineFaults({ verification, workspace }: Config): string[] {
  const commands = verification.map(({ command }) => command)
  const lines = [...commands, ...workspace.setup, ...verification.map(({ name }) => name)]
  const twice = commands.filter((command, at) => commands.indexOf(command) !== at)
  return [
    ...[...new Set(lines)]
      .filter((line) => UNSEEN.test(line))
      .map((line) => `${JSON.stringify(line)} is not one line of visible text`),
    ...[...new Set(twice)].map((command) => `${JSON.stringify(command)} stands twice in verification`),
    ...workspace.copy
      .filter((path) => path.startsWith('/') || path.split('/').includes('..') || UNSEEN.test(path))
      .map((path) => `workspace.copy: ${JSON.stringify(path)} is no path inside the repository`),
  ]
}

function proposalOf(raw: JsonObject, { verification, workspace, integration }: Config): Proposal {
  const given = isObject(raw.workspace) ? raw.workspace : {}
  const landing = isObject(raw.integration) ? raw.integration : {}
  return {
    checks: verification,
    ...(given.setup === undefined ? {} : { setup: workspace.setup }),
    ...(given.setupTimeout === undefined ? {} : { setupTimeout: workspace.setupTimeout }),
    variables: workspace.variables,
    copy: workspace.copy,
    ...(integration.target === undefined ? {} : { target: integration.target }),
    ...(landing.mode === undefined ? {} : { mode: integration.mode }),
  }
}
