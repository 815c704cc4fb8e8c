import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
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
  readonly version?: string
  /** Where a credential was seen; its content is never read. */
  readonly credential?: string
}

/** One line for each coding agent that AXIOM can drive. One that is ready is enough. */
export async function probeAgents(world: ProbeWorld): Promise<Prerequisite[]> {
  const found = await Promise.all(AGENT_PROGRAMS.map((program) => findAgent(world, program)))
  const ready = found.some(({ version, credential }) => version !== undefined && credential !== undefined)
  return found.map((agent) => describeAgent(agent, ready))
}

/** The coding agents that are installed and seem to be logged in. */
export function readyAgents(prerequisites: readonly Prerequisite[]): string[] {
  const names = AGENT_PROGRAMS.map(({ name }) => name)
  return prerequisites
    .filter(({ name, status, found }) => names.includes(name) && status === 'ok' && found !== NOT_NEEDED)
    .map(({ name }) => name)
}

const NOT_NEEDED = 'not installed; not needed'

async function findAgent(world: ProbeWorld, program: AgentProgram): Promise<FoundAgent> {
  const { exitCode, stdout } = await askProgram(world, [program.name, '--version'])
  if (exitCode !== 0) return { program }
  const version = /\d+\.\d+[^\s)]*/.exec(stdout)?.[0] ?? 'version unknown'
  const credential = findCredential(world, program)
  return { program, version, ...(credential === undefined ? {} : { credential }) }
}

function findCredential({ env }: ProbeWorld, { keys, files }: AgentProgram): string | undefined {
  const key = keys.find((name) => env[name])
  if (key !== undefined) return key
  const home = env.HOME ?? homedir()
  const file = files.find((path) => existsSync(join(home, path)))
  return file === undefined ? undefined : `~/${file}`
}

function describeAgent({ program, version, credential }: FoundAgent, anotherIsReady: boolean): Prerequisite {
  const { name } = program
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
