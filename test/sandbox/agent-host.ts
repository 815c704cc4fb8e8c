import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AgentHost } from '../../src/agents/agent-run.ts'
import type { AgentRequest } from '../../src/agents/driver.ts'
import {
  DEFAULT_LIMITS,
  SANDBOX_LEVELS,
  type SandboxHost,
  type SandboxLevel,
} from '../../src/platform/sandbox/confinement.ts'
import { probeSandbox } from '../../src/platform/sandbox/probe-sandbox.ts'

export const programs = join(import.meta.dirname, 'programs')

export const sandboxHost: SandboxHost = { environment: process.env, home: homedir() }

/** A folder that is gone when the test file is done. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'axiom-sandbox-')))
  folders.push(folder)
  return folder
}

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** What this machine can do, found by the canary. */
export const machine = await probeSandbox(sandboxHost, { all: true })

/** Every level there is: a suite that left out what is missing here would be green for it. */
export const levels: readonly SandboxLevel[] = SANDBOX_LEVELS
const missing = machine.tried.filter(({ works }) => !works)
if (missing.length > 0) {
  const notes = missing.map(({ level, note }) => `${level}: ${note.trim()}`).join('; ')
  throw new Error(`the sandbox suite runs at every level, and one does not work here: ${notes}`)
}

export function hostAt(level: SandboxLevel, changes: Partial<AgentHost> = {}): AgentHost {
  return {
    sandbox: sandboxHost,
    level,
    masked: [],
    readOnly: [],
    readWrite: [],
    network: { kind: 'host' },
    limits: DEFAULT_LIMITS,
    secrets: [],
    stopGraceMs: 500,
    now: () => Date.now(),
    ...changes,
  }
}

export async function makeRequest(changes: Partial<AgentRequest> = {}): Promise<AgentRequest> {
  const folder = await makeFolder()
  const workspace = join(folder, 'repository/workspaces/one')
  await mkdir(workspace, { recursive: true })
  return {
    assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: 't1', iteration: 1 },
    prompt: 'do it',
    systemPrompt: 'be good',
    workspace,
    folder: join(folder, 'agent'),
    logFile: join(folder, 'logs/agent.log'),
    ...changes,
  }
}

/** Live processes that have this word among their arguments. */
export async function processesWith(word: string): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const found = await Promise.all(
    names.map(async (name) =>
      (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).includes(word),
    ),
  )
  return found.filter(Boolean).length
}
