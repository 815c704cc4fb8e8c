import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentRequest } from '../../src/agents/driver.ts'

/** A repository of its own for one scene, and the request that puts an agent into it. */
export interface Scratch {
  readonly workspace: string
  request(changes?: Partial<AgentRequest>): AgentRequest
  read(file: string): string
  /** The subjects of the commits, newest first. */
  subjects(): string[]
  remove(): void
}

/** `standing` is in every request of this repository. */
export function makeScratch(standing: Partial<AgentRequest> = {}): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-client-')))
  const workspace = join(root, 'workspace')
  mkdirSync(workspace)
  git(workspace, 'init', '-q', '-b', 'main')
  git(workspace, 'config', 'user.name', 'echo-001')
  git(workspace, 'config', 'user.email', 'echo-001@example.com')
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first')
  return {
    workspace,
    request: (changes = {}) => ({
      assignment: { role: 'developer', agent: 'echo-001', taskId: 'task-001', taskKey: 't1', iteration: 1 },
      prompt: 'Do the work of the script.',
      systemPrompt: 'You are played by a script.',
      workspace,
      folder: join(root, 'agent'),
      logFile: join(root, 'log', 'agent.log'),
      ...standing,
      ...changes,
    }),
    read: (file) => readFileSync(join(workspace, file), 'utf8'),
    subjects: () => git(workspace, 'log', '--format=%s').trim().split('\n'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function git(workspace: string, ...args: string[]): string {
  // The agent may run as another user, whose files git would not trust.
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: workspace, encoding: 'utf8' })
}

/** How many processes of this machine have the word in their arguments. */
export function countProcessesWith(word: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(word)).length
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
