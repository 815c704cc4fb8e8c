/** A coding agent that AXIOM knows by its name. Its driver is in `agents/drivers/`, and `agents/open-driver.ts` opens it. */
export interface AgentProgram {
  readonly install: string
  readonly logIn: string
  /** Variables that hold a credential; the first that is set is used. */
  readonly keys: readonly string[]
  /** Variables with addresses. They are no secrets, but a key works only at its address. */
  readonly addresses: readonly string[]
  /** Files with a login below the user's home; the first one proves that there is a login. */
  readonly logins: readonly [string, ...string[]]
  /** Files that a key or a login needs beside it. */
  readonly settings: readonly string[]
  /** Whether `agents.command` may name another program for it. */
  readonly isReplaceable: boolean
}

/** In the order in which `auto` tries them. */
export const AGENT_PROGRAMS = {
  claude: {
    install: 'npm install --global @anthropic-ai/claude-code',
    logIn: 'claude, then /login; or set ANTHROPIC_API_KEY',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL'],
    logins: ['.claude/.credentials.json'],
    settings: [],
    isReplaceable: true,
  },
  codex: {
    install: 'npm install --global @openai/codex',
    logIn: 'codex login; or set OPENAI_API_KEY',
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    addresses: ['OPENAI_BASE_URL'],
    logins: ['.codex/auth.json'],
    settings: ['.codex/config.toml'],
    isReplaceable: true,
  },
  gemini: {
    install: 'npm install --global @google/gemini-cli',
    logIn: 'gemini, then choose how to sign in; or set GEMINI_API_KEY',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    logins: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json'],
    settings: ['.gemini/settings.json'],
    isReplaceable: false,
  },
  opencode: {
    install: 'npm install --global opencode-ai',
    logIn: 'opencode auth login',
    keys: ['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    addresses: ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
    logins: ['.local/share/opencode/auth.json'],
    settings: ['.config/opencode/opencode.json'],
    isReplaceable: false,
  },
} as const satisfies Readonly<Record<string, AgentProgram>>

export type AgentProgramName = keyof typeof AGENT_PROGRAMS

export const AGENT_PROGRAM_NAMES = Object.keys(AGENT_PROGRAMS) as [AgentProgramName, ...AgentProgramName[]]

export function agentProgram(name: string): AgentProgram | undefined {
  return Object.hasOwn(AGENT_PROGRAMS, name) ? AGENT_PROGRAMS[name as AgentProgramName] : undefined
}
