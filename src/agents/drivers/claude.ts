import { randomUUID } from 'node:crypto'
import { type AgentHost, type Launch, startAgent } from '../agent-run.ts'
import { type Credentials, putCredentials } from '../credentials.ts'
import { type AgentProcess, type AgentRequest, type Driver, NEW_SESSION, type Session } from '../driver.ts'
import { putPrivateFile } from '../private-file.ts'
import { ClaudeConversation } from './claude-conversation.ts'

export interface ClaudeSettings {
  readonly program: string
  readonly model?: string
  readonly credentials: Credentials
}

/** Retries by the program itself; after them AXIOM waits, on its own schedule. */
const RETRIES_MAX = 3
/** One argument may not be longer than 128 KiB on Linux. */
const ARGUMENT_BYTES_MAX = 120_000

export function claudeDriver(host: AgentHost, settings: ClaudeSettings): Driver {
  const start = (request: AgentRequest, session: Session, flag: string) =>
    startClaude(host, settings, request, session, flag)
  return {
    name: 'claude',
    abilities: { send: true, redirect: true, resume: true, permissions: true },
    start: (request) => start(request, { ...NEW_SESSION, id: randomUUID() }, '--session-id'),
    resume: (session, request) => start(request, session, '--resume'),
  }
}

async function startClaude(
  host: AgentHost,
  { program, model, credentials }: ClaudeSettings,
  request: AgentRequest,
  session: Session,
  flag: string,
): Promise<AgentProcess> {
  await putCredentials(host, request, credentials)
  const args = await claudeArguments(host, request, [flag, session.id], request.model ?? model)
  return startAgent(host, withWholePrompt(request), {
    program,
    args,
    environment: { ...credentials.environment, ...CLAUDE_ENVIRONMENT },
    secrets: credentials.secrets,
    conversation: new ClaudeConversation(withWholePrompt(request), session),
  })
}

const CLAUDE_ENVIRONMENT: Launch['environment'] = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: String(RETRIES_MAX),
  // AXIOM's tools are shown to the model directly instead of behind a search.
  ENABLE_TOOL_SEARCH: 'false',
}

/** The arguments of a two-way session. They never contain task text, which could be parsed as a flag. */
export async function claudeArguments(
  host: AgentHost,
  request: AgentRequest,
  session: readonly string[],
  model: string | undefined,
): Promise<string[]> {
  const servers = request.toolServers ?? []
  return [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-mode', 'acceptEdits', '--permission-prompt-tool', 'stdio'],
    ...session,
    ...(model === undefined ? [] : ['--model', model]),
    ...(fitsArgument(request.systemPrompt) ? ['--append-system-prompt', request.systemPrompt] : []),
    ...(servers.length === 0 ? [] : ['--mcp-config', await putToolServers(host, request)]),
    '--strict-mcp-config',
  ]
}

function fitsArgument(systemPrompt: string): boolean {
  return systemPrompt !== '' && Buffer.byteLength(systemPrompt) <= ARGUMENT_BYTES_MAX
}

function withWholePrompt(request: AgentRequest): AgentRequest {
  if (request.systemPrompt === '' || fitsArgument(request.systemPrompt)) return request
  return { ...request, prompt: `${request.systemPrompt}\n\n${request.prompt}` }
}

function putToolServers(host: AgentHost, request: AgentRequest): Promise<string> {
  const mcpServers = Object.fromEntries(
    (request.toolServers ?? []).map(({ name, command: [program, ...args], environment }) => [
      name,
      { command: program, args, env: environment },
    ]),
  )
  return putPrivateFile(host, request, '.tool-servers.json', JSON.stringify({ mcpServers }))
}
