import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentHost } from './agent-run.ts'
import type { AgentRequest } from './driver.ts'
import { listSecretsIn } from './list-secrets.ts'
import { putPrivateFile } from './private-file.ts'

/** What one kind of agent needs to be let in by its provider. Given to agents, never to checks. */
export interface Credentials {
  readonly environment: Readonly<Record<string, string>>
  /** Copied into the private HOME, by name below it. */
  readonly files: Readonly<Record<string, string>>
  /** Every value in it that must not be seen. */
  readonly secrets: readonly string[]
}

interface Source {
  /** The first of them that is set is used. */
  readonly keys: readonly string[]
  /** Not secret, but the key is of no use elsewhere. */
  readonly addresses: readonly string[]
  readonly files: readonly string[]
}

const SOURCES: Readonly<Record<string, Source>> = {
  claude: {
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL'],
    files: ['.claude/.credentials.json'],
  },
  codex: {
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    addresses: ['OPENAI_BASE_URL'],
    files: ['.codex/auth.json', '.codex/config.toml'],
  },
  gemini: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    files: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json', '.gemini/settings.json'],
  },
  opencode: {
    keys: ['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    addresses: ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
    files: ['.local/share/opencode/auth.json', '.config/opencode/opencode.json'],
  },
}

/** Settings that a key needs beside it are copied with the key; files with logins only without one. */
const SETTINGS = /(?:settings|opencode)\.json$|config\.toml$/

export const NO_CREDENTIALS: Credentials = { environment: {}, files: {}, secrets: [] }

/** Finds the credentials of an agent program where its user keeps them. */
export async function findCredentials(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Credentials> {
  const source = SOURCES[name]
  if (!source) return NO_CREDENTIALS
  const key = source.keys.find((candidate) => environment[candidate])
  const names = key === undefined ? source.addresses : [key, ...source.addresses]
  const given = Object.fromEntries(
    names.flatMap((candidate) => {
      const value = environment[candidate]
      return value ? [[candidate, value]] : []
    }),
  )
  const wanted = source.files.filter((file) => key === undefined || SETTINGS.test(file))
  const found = await Promise.all(
    wanted.map(async (file) => [file, await readFile(join(home, file), 'utf8').catch(() => '')] as const),
  )
  const files = Object.fromEntries(
    found.filter(([, text]) => text !== '').map(([file, text]) => [file, withoutRefresh(name, text)]),
  )
  const secret = key === undefined ? [] : [given[key] ?? '']
  return { environment: given, files, secrets: [...secret, ...Object.values(files).flatMap(listSecretsIn)] }
}

/** An agent that could renew the login would log its user out everywhere else. */
function withoutRefresh(name: string, text: string): string {
  if (name !== 'claude') return text
  try {
    return JSON.stringify(JSON.parse(text, (key, value) => (key === 'refreshToken' ? undefined : value)))
  } catch {
    return ''
  }
}

export async function putCredentials(
  host: AgentHost,
  request: AgentRequest,
  credentials: Credentials,
): Promise<void> {
  for (const [name, text] of Object.entries(credentials.files))
    await putPrivateFile(host, request, name, text)
}
