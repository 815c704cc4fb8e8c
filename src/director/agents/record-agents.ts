import { join } from 'node:path'
import type { AgentEvent, AgentProcess, AgentRequest, Driver } from '../../agents/driver.ts'
import { readForeignHead } from '../../platform/git/read-foreign-refs.ts'
import type { RecordedTurn } from '../../project/recording.ts'
import { exportHead } from '../../workspaces/export-commits.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import { type Ground, listWorkspaces, type Workspace } from '../../workspaces/workspace.ts'

const SPEECH_CHARACTERS_MAX = 400_000
const PATCH_BYTES_MAX = 4 * 1024 * 1024
const FILES_MAX = 50
const FILE_BYTES_MAX = 512 * 1024

/** A driver that records what each agent said and committed before the run continues. */
export function recordAgents(
  driver: Driver,
  ground: Ground,
  append: (turn: RecordedTurn) => Promise<void>,
): Driver {
  const follow = async (request: AgentRequest, start: () => Promise<AgentProcess>): Promise<AgentProcess> => {
    const before = await headOf(request.workspace)
    const target = await targetOfRecord(ground.git, ground.integration)
    return recorded(await start(), async (speech, end) => {
      const change = await changeOf(ground, request, before).catch(() => null)
      const { role, taskId, agent, iteration } = request.assignment
      await append({ type: 'turn', role, task: taskId, agent, iteration, target, speech, end, change })
    })
  }
  return {
    name: driver.name,
    abilities: driver.abilities,
    start: (request) => follow(request, () => driver.start(request)),
    resume: (session, request) => follow(request, () => driver.resume(session, request)),
  }
}

function recorded(agent: AgentProcess, note: (speech: string[], end: string) => Promise<void>): AgentProcess {
  const noted = async function* (): AsyncGenerator<AgentEvent> {
    const speech = new Speech()
    for await (const event of agent.events) {
      if (event.type === 'speech') speech.add(event.message, event.text)
      // The end event is held back until it is recorded: the next turn may change the workspace.
      if (event.type === 'end') await note(speech.messages(), event.reason)
      yield event
    }
  }
  return {
    events: noted(),
    ended: agent.ended,
    get lastSignMs() {
      return agent.lastSignMs
    },
    get tree() {
      return agent.tree
    },
    send: (text) => agent.send(text),
    interrupt: (text) => agent.interrupt(text),
    stop: () => agent.stop(),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  }
}

class Speech {
  readonly #messages = new Map<string, string>()
  #characters = 0

  add(message: string, text: string): void {
    if (this.#characters > SPEECH_CHARACTERS_MAX) return
    this.#characters += text.length
    this.#messages.set(message, (this.#messages.get(message) ?? '') + text)
  }

  messages(): string[] {
    return [...this.#messages.values()].filter((text) => text.trim() !== '')
  }
}

async function headOf(workspace: string): Promise<string | undefined> {
  const head = await readForeignHead(join(workspace, '.git')).catch(() => undefined)
  return head?.kind === 'commit' ? head.commit : undefined
}

async function changeOf(
  ground: Ground,
  { workspace: path, assignment }: AgentRequest,
  before: string | undefined,
): Promise<RecordedTurn['change']> {
  const after = await headOf(path)
  if (before === undefined || after === undefined || before === after) return null
  const workspace = await findWorkspace(ground, path)
  if (workspace === undefined || (await exportHead(ground, workspace)).kind !== 'exported') return null
  const { git, integration } = ground
  const range = [before, after, '--']
  const patch = (await git.run(integration, ['diff', '--binary', '--full-index', ...range])).stdout
  if (patch.length > PATCH_BYTES_MAX) return null
  const message = await git.text(integration, ['log', '-1', '--format=%B', after])
  const files = assignment.role === 'resolver' ? await filesOf(ground, before, after) : null
  return { patch: patch.toString('utf8'), message: message.trim(), files }
}

async function findWorkspace(ground: Ground, path: string): Promise<Workspace | undefined> {
  return (await listWorkspaces(ground)).find((workspace) => workspace.path === path)
}

async function filesOf(ground: Ground, before: string, after: string): Promise<Record<string, string>> {
  const { git, integration } = ground
  const words = ['diff', '--name-only', '-z', '--diff-filter=AM', before, after, '--']
  const names = (await git.text(integration, words)).split('\0').filter((name) => name !== '')
  const files: Record<string, string> = {}
  for (const name of names.slice(0, FILES_MAX)) {
    const { stdout } = await git.run(integration, ['cat-file', 'blob', `${after}:${name}`])
    if (stdout.length <= FILE_BYTES_MAX && !stdout.includes(0)) files[name] = stdout.toString('utf8')
  }
  return files
}
