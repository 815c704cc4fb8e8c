import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentProgram } from '../config/agent-programs.ts'
import type { AgentHost } from './agent-run.ts'
import type { AgentRequest } from './driver.ts'
import { listSecretsIn } from './list-secrets.ts'
import { putPrivateFile } from './private-file.ts'

/** What one kind of agent needs to authenticate with its provider. Given to agents, never to checks. */
export interface Credentials {
  readonly environment: Readonly<Record<string, string>>
  /** Copied into the private HOME, by name below it. */
  readonly files: Readonly<Record<string, string>>
  /** Every value in it that must be redacted. */
  readonly secrets: readonly string[]
}

export const NO_CREDENTIALS: Credentials = { environment: {}, files: {}, secrets: [] }

/** Finds the credentials of an agent program where its user keeps them. */
export async function findCredentials(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Credentials> {
  const source = agentProgram(name)
  if (!source) return NO_CREDENTIALS
  const key = source.keys.find((candidate) => environment[candidate])
  const names = key === undefined ? source.addresses : [key, ...source.addresses]
  const given = Object.fromEntries(
    names.flatMap((candidate) => {
      const value = environment[candidate]
      return value ? [[candidate, value]] : []
    }),
  )
  // With a key only the settings that it needs are copied; a login would compete with it.
  const wanted = key === undefined ? [...source.logins, ...source.settings] : source.settings
  const found = await Promise.all(
    wanted.map(async (file) => [file, await readFile(join(home, file), 'utf8').catch(() => '')] as const),
  )
  const files = Object.fromEntries(
    found.filter(([, text]) => text !== '').map(([file, text]) => [file, withoutRefresh(name, text)]),
  )
  const secret = key === undefined ? [] : [given[key] ?? '']
  return { environment: given, files, secrets: [...secret, ...Object.values(files).flatMap(listSecretsIn)] }
}

/** An agent that renews the login would log its user out everywhere else. */
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
