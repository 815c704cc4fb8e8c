import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/schema.ts'
import { findProgram } from '../../platform/sandbox/mount-plan.ts'
import { askProgram } from './ask-program.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'

interface AgentProgram {
  readonly name: string
  readonly install: string
  readonly login: string
  /** Any of these variables holds a credential. */
  readonly keys: readonly string[]
  /** Any of these files does, relative to the home directory. */
  readonly files: readonly string[]
}

const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    name: 'claude',
    install: 'npm install --global @anthropic-ai/claude-code',
    login: 'claude, then /login; or set ANTHROPIC_API_KEY',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: ['.claude/.credentials.json'],
  },
  {
    name: 'codex',
    install: 'npm install --global @openai/codex',
    login: 'codex login; or set OPENAI_API_KEY',
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    files: ['.codex/auth.json'],
  },
  {
    name: 'gemini',
    install: 'npm install --global @google/gemini-cli',
    login: 'gemini, then choose how to sign in; or set GEMINI_API_KEY',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    files: ['.gemini/oauth_creds.json'],
  },
  {
    name: 'opencode',
    install: 'npm install --global opencode-ai',
    login: 'opencode auth login',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    files: ['.local/share/opencode/auth.json'],
  },
]

interface FoundAgent {
  readonly program: AgentProgram
  /** Its version; where another program is configured, its place. */
  readonly version?: string
  /** The program that is configured in place of the one of this name. */
  readonly configured?: string
  /** Where a credential was seen; its content is never read. */
  readonly credential?: string
}

/** What is configured of agents, and the folder from which a path in it is meant. */
export interface ConfiguredAgents {
  readonly agents: Config['agents']
  readonly folder: string
}

/** One line for each coding agent that AXIOM can drive, and one for a program of the user's own. One that is ready is enough. */
export async function probeAgents(world: ProbeWorld, configured: ConfiguredAgents): Promise<Prerequisite[]> {
  const own = await probeOwnProgram(world, configured)
  const found = await Promise.all(AGENT_PROGRAMS.map((program) => findAgent(world, program, configured)))
  const ready =
    own.some(({ status }) => status === 'ok') ||
    found.some(({ version, credential }) => version !== undefined && credential !== undefined)
  return [...own, ...found.map((agent) => describeAgent(agent, ready))]
}

const OWN_DRIVERS: readonly string[] = ['command', 'acp']

/** A program that speaks for itself, where one is configured to do the work. */
async function probeOwnProgram(
  { env }: ProbeWorld,
  { agents, folder }: ConfiguredAgents,
): Promise<Prerequisite[]> {
  const [program] = agents.command
  if (!OWN_DRIVERS.includes(agents.driver) || program === undefined) return []
  const name = 'agents.command'
  const found = await findProgram(program, env.PATH ?? '', folder)
  if (found !== undefined) return [{ name, status: 'ok', found }]
  const fix = 'axiom config set agents.command \'["PROGRAM", "ARGUMENT"]\''
  return [{ name, status: 'warn', code: 'PREREQ_NO_AGENT', found: `${program} was not found`, fix }]
}

/** Drivers that start the program that is configured for them, where one is. */
const REPLACEABLE: readonly string[] = ['claude', 'codex']

function configuredProgram(
  { driver, command, roles, fallback }: Config['agents'],
  name: string,
): string | undefined {
  if (!REPLACEABLE.includes(name)) return undefined
  const usual = { driver, command }
  const forRoles = Object.values(roles).map((role) => ({ ...role, driver: role.driver ?? driver }))
  return [usual, ...forRoles, ...fallback].find(
    (choice) => choice.driver === name && choice.command !== undefined && choice.command.length > 0,
  )?.command?.[0]
}

/** The coding agents that are installed and seem to be logged in. */
export function readyAgents(prerequisites: readonly Prerequisite[]): string[] {
  const names = AGENT_PROGRAMS.map(({ name }) => name)
  return prerequisites
    .filter(({ name, status, found }) => names.includes(name) && status === 'ok' && found !== NOT_NEEDED)
    .map(({ name }) => name)
}

const NOT_NEEDED = 'not installed; not needed'

async function findAgent(
  world: ProbeWorld,
  program: AgentProgram,
  { agents, folder }: ConfiguredAgents,
): Promise<FoundAgent> {
  const configured = configuredProgram(agents, program.name)
  if (configured !== undefined) {
    // Looked for and not started: a configuration may have come with a repository that nobody trusts yet.
    const version = await findProgram(configured, world.env.PATH ?? '', folder)
    return version === undefined
      ? { program, configured }
      : { program, configured, version, ...credentialOf(world, program) }
  }
  const { exitCode, stdout } = await askProgram(world, [program.name, '--version'])
  if (exitCode !== 0) return { program }
  const version = /\d+\.\d+[^\s)]*/.exec(stdout)?.[0] ?? 'version unknown'
  return { program, version, ...credentialOf(world, program) }
}

function credentialOf(world: ProbeWorld, program: AgentProgram): Pick<FoundAgent, 'credential'> {
  const credential = findCredential(world, program)
  return credential === undefined ? {} : { credential }
}

function findCredential({ env }: ProbeWorld, { keys, files }: AgentProgram): string | undefined {
  const key = keys.find((name) => env[name])
  if (key !== undefined) return key
  const home = env.HOME ?? homedir()
  const file = files.find((path) => existsSync(join(home, path)))
  return file === undefined ? undefined : `~/${file}`
}

function describeAgent(agent: FoundAgent, anotherIsReady: boolean): Prerequisite {
  const { program, version, credential, configured } = agent
  const { name } = program
  if (version === undefined && configured !== undefined) {
    const found = `${configured} of agents.command was not found`
    const fix = `axiom config set agents.command '["PROGRAM"]'; with [] it is ${name}`
    return { name, status: 'warn', code: 'PREREQ_NO_AGENT', found, fix }
  }
  if (version === undefined) {
    if (anotherIsReady) return { name, status: 'ok', found: NOT_NEEDED }
    return { name, status: 'warn', code: 'PREREQ_NO_AGENT', found: 'not installed', fix: program.install }
  }
  if (credential === undefined) {
    const found = `${version}, no login found`
    return { name, status: 'warn', code: 'PREREQ_NO_AGENT', found, fix: program.login }
  }
  return { name, status: 'ok', found: `${version}, login by ${credential}` }
}
