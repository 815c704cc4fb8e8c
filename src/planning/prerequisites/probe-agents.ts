import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  AGENT_PROGRAM_NAMES,
  AGENT_PROGRAMS,
  type AgentProgram,
  agentProgram,
} from '../../config/agent-programs.ts'
import type { Config } from '../../config/schema.ts'
import { findProgram } from '../../platform/sandbox/mount-plan.ts'
import { askProgram } from './ask-program.ts'
import type { Prerequisite, ProbeWorld } from './prerequisite.ts'

interface NamedProgram extends AgentProgram {
  readonly name: string
}

const PROGRAMS: readonly NamedProgram[] = AGENT_PROGRAM_NAMES.map((name) => ({
  name,
  ...AGENT_PROGRAMS[name],
}))

interface FoundAgent {
  readonly program: NamedProgram
  /** Its version; where another program is configured, its place. */
  readonly version?: string
  /** The program that is configured in place of the one of this name. */
  readonly configured?: string
  /** Where a credential was seen; its content is never read. */
  readonly credential?: string
}

/** The configured agents, and the folder that their relative paths start from. */
export interface ConfiguredAgents {
  readonly agents: Config['agents']
  readonly folder: string
}

/**
 * One line for each coding agent that AXIOM can drive, and one for the user's own program. One ready is
 * enough.
 */
export async function probeAgents(world: ProbeWorld, configured: ConfiguredAgents): Promise<Prerequisite[]> {
  const own = await probeOwnProgram(world, configured)
  const found = await Promise.all(PROGRAMS.map((program) => findAgent(world, program, configured)))
  const ready =
    own.some(({ status }) => status === 'ok') ||
    found.some(({ version, credential }) => version !== undefined && credential !== undefined)
  return [...own, ...found.map((agent) => describeAgent(agent, ready))]
}

const OWN_DRIVERS: readonly string[] = ['command', 'acp']

/** The user's own program, where one is configured as an agent. */
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

function configuredProgram(
  { driver, command, roles, fallback }: Config['agents'],
  name: string,
): string | undefined {
  if (agentProgram(name)?.isReplaceable !== true) return undefined
  const usual = { driver, command }
  const forRoles = Object.values(roles).map((role) => ({ ...role, driver: role.driver ?? driver }))
  return [usual, ...forRoles, ...fallback].find(
    (choice) => choice.driver === name && choice.command !== undefined && choice.command.length > 0,
  )?.command?.[0]
}

/** The coding agents that are installed and seem to be logged in. */
export function readyAgents(prerequisites: readonly Prerequisite[]): string[] {
  const names = PROGRAMS.map(({ name }) => name)
  return prerequisites
    .filter(({ name, status, found }) => names.includes(name) && status === 'ok' && found !== NOT_NEEDED)
    .map(({ name }) => name)
}

const NOT_NEEDED = 'not installed; not needed'

async function findAgent(
  world: ProbeWorld,
  program: NamedProgram,
  { agents, folder }: ConfiguredAgents,
): Promise<FoundAgent> {
  const configured = configuredProgram(agents, program.name)
  if (configured !== undefined) {
    // Located but not started: the configuration may come from a repository that is not trusted yet.
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

function findCredential({ env }: ProbeWorld, { keys, logins: [login] }: AgentProgram): string | undefined {
  const key = keys.find((name) => env[name])
  if (key !== undefined) return key
  const home = env.HOME ?? homedir()
  return existsSync(join(home, login)) ? `~/${login}` : undefined
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
    return { name, status: 'warn', code: 'PREREQ_NO_AGENT', found, fix: program.logIn }
  }
  return { name, status: 'ok', found: `${version}, login by ${credential}` }
}
