import { type AgentHost, startAgent } from '../agent-run.ts'
import { type Credentials, putCredentials } from '../credentials.ts'
import {
  type AgentProcess,
  type AgentRequest,
  type Driver,
  NEW_SESSION,
  type Session,
  type ToolServer,
} from '../driver.ts'
import { CodexConversation } from './codex-conversation.ts'

export interface CodexSettings {
  readonly program: string
  readonly model?: string
  readonly credentials: Credentials
}

const CONFIG_FILE = '.codex/config.toml'
/** One argument may not be longer than 128 KiB on Linux. */
const ARGUMENT_BYTES_MAX = 120_000

export function codexDriver(host: AgentHost, settings: CodexSettings): Driver {
  return {
    name: 'codex',
    abilities: { send: false, redirect: false, resume: true, permissions: false },
    start: (request) => start(host, settings, request, NEW_SESSION),
    resume: (session, request) => start(host, settings, request, session),
  }
}

async function start(
  host: AgentHost,
  { program, model, credentials }: CodexSettings,
  request: AgentRequest,
  session: Session,
): Promise<AgentProcess> {
  await putCredentials(host, request, withToolServers(credentials, request.toolServers ?? []))
  const fits = Buffer.byteLength(request.systemPrompt) <= ARGUMENT_BYTES_MAX
  const prompt = fits ? request.prompt : `${request.systemPrompt}\n\n${request.prompt}`
  const chosen = request.model ?? model
  return startAgent(host, request, {
    program,
    args: [
      'exec',
      ...(session.id === '' ? [] : ['resume', session.id]),
      '--json',
      // AXIOM's sandbox confines it; codex's own would prevent commits.
      '--dangerously-bypass-approvals-and-sandbox',
      ...['--disable', 'plugins', '--disable', 'apps'],
      ...(chosen === undefined ? [] : ['-m', chosen]),
      ...(fits ? ['-c', `developer_instructions=${tomlText(request.systemPrompt)}`] : []),
      '-',
    ],
    environment: credentials.environment,
    secrets: credentials.secrets,
    conversation: new CodexConversation(prompt, session),
  })
}

/** In the file and not in the arguments, because their environment holds tokens. */
function withToolServers(credentials: Credentials, servers: readonly ToolServer[]): Credentials {
  if (servers.length === 0) return credentials
  const tables = servers.map(({ name, command: [program = '', ...args], environment }) =>
    [
      `[mcp_servers.${tomlText(name)}]`,
      `command = ${tomlText(program)}`,
      `args = [${args.map(tomlText).join(', ')}]`,
      `[mcp_servers.${tomlText(name)}.env]`,
      ...Object.entries(environment).map(([key, value]) => `${tomlText(key)} = ${tomlText(value)}`),
    ].join('\n'),
  )
  const text = [credentials.files[CONFIG_FILE] ?? '', ...tables].join('\n\n')
  return { ...credentials, files: { ...credentials.files, [CONFIG_FILE]: text } }
}

/** A basic TOML string has the same escapes as a JSON string, except for the delete character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
