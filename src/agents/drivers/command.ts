import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { Failure } from '../../platform/failure.ts'
import { agentError } from '../agent-error.ts'
import { type AgentHost, startAgent } from '../agent-run.ts'
import type { AgentExit, Conclusion, Conversation, Line } from '../conversation.ts'
import type { AgentProcess, AgentRequest, Driver } from '../driver.ts'
import { judgeSilentEnd } from '../end-of-process.ts'
import { putPrivateFile } from '../private-file.ts'

export interface CommandSettings {
  /** Program and arguments. A relative script is looked for in the workspace, then in `folder`. */
  readonly command: readonly string[]
  readonly folder: string
}

/** Any program: the prompt on stdin, one message on stdout, the rest in `AXIOM_*` variables. */
export function commandDriver(host: AgentHost, settings: CommandSettings): Driver {
  return {
    name: 'command',
    abilities: { send: false, redirect: false, resume: false, permissions: false },
    start: (request) => start(host, settings, request),
    resume: () => {
      throw new Failure('AGENT_REQUEST_INVALID', 'The "command" driver has no sessions to resume.')
    },
  }
}

async function start(
  host: AgentHost,
  settings: CommandSettings,
  request: AgentRequest,
): Promise<AgentProcess> {
  const words = await Promise.all(settings.command.map((word) => locate(word, request, settings.folder)))
  const [program, ...args] = words
  if (program === undefined || program === '')
    throw new Failure('AGENT_REQUEST_INVALID', 'The "command" driver needs "agents.command".', {
      hint: 'Set it to the program and its arguments: ["node", "agent.mjs"].',
    })
  const systemPrompt = await putPrivateFile(host, request, '.system-prompt.md', request.systemPrompt)
  const { role, agent, taskId, taskKey, iteration } = request.assignment
  return startAgent(host, request, {
    program,
    args,
    files: words.filter(isAbsolute),
    environment: {
      AXIOM_ROLE: role,
      AXIOM_AGENT: agent,
      AXIOM_TASK_ID: taskId,
      AXIOM_TASK_KEY: taskKey,
      AXIOM_ITERATION: String(iteration),
      AXIOM_WORKSPACE: request.workspace,
      AXIOM_SYSTEM_PROMPT: systemPrompt,
    },
    conversation: new OneMessage(request.prompt),
  })
}

/** A script that is not in the workspace is taken from the project that configures it. */
async function locate(word: string, { workspace }: AgentRequest, folder: string): Promise<string> {
  if (isAbsolute(word) || word.startsWith('-') || (await isFile(join(workspace, word)))) return word
  const configured = join(folder, word)
  return (await isFile(configured)) ? configured : word
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

class OneMessage implements Conversation {
  readonly #prompt: string
  readonly #decoder = new StringDecoder('utf8')
  #line: Line | undefined

  constructor(prompt: string) {
    this.#prompt = prompt
  }

  begin(line: Line): void {
    this.#line = line
    line.stdin.end(this.#prompt)
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk)
    if (text !== '') this.#line?.emit({ type: 'speech', message: 'stdout', text, ends: false })
  }

  flush(): void {
    this.#line?.emit({ type: 'speech', message: 'stdout', text: this.#decoder.end(), ends: true })
  }

  conclude(exit: AgentExit): Conclusion {
    if (exit.exitCode === 0) return { reason: 'completed' }
    const verdict = judgeSilentEnd(exit)
    if (verdict.reason === 'crashed' || verdict.error?.code === 'AGENT_RESOURCE_LIMIT') return verdict
    // The stderr of an unknown program is free text: no limit or login error is derived from it.
    return { reason: 'failed', error: agentError('AGENT_FAILED', verdict.error?.message ?? '') }
  }

  send(): boolean {
    return false
  }

  redirect(): Promise<boolean> {
    return Promise.resolve(false)
  }

  interrupt(): boolean {
    return false
  }
}
