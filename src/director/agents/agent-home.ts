import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseId } from '../../cases/case.ts'
import { isRealDirectory } from '../../platform/files/read-regular-file.ts'
import { safeName } from '../../platform/git/names.ts'

/**
 * The private folder of one agent. It holds the agent's HOME, and with it the sessions that can be continued.
 */
export interface AgentHome {
  readonly agent: string
  readonly path: string
  /** The tasks that it worked on; empty for a home made by a version that did not record them. */
  readonly tasks: readonly CaseId[]
}

/**
 * Whether work can continue in an agent's home: the home of a failed task is kept for a time, for a retry.
 */
export type HomeNeed =
  | { readonly kind: 'needed' | 'over' }
  | { readonly kind: 'failed'; readonly endedAtMs: number }

/** A folder beside the agents' homes that belongs to no agent. */
const CHECKS = 'checks'
const TASKS = 'tasks'

export function homesFolder(folder: string): string {
  return join(folder, 'private')
}

/**
 * Opens the folder of an agent before it starts on a task; the task is recorded before anything else is
 * written.
 */
export async function openAgentHome(folder: string, agent: string, task: CaseId): Promise<string> {
  const path = join(homesFolder(folder), safeName(agent))
  const tasks = join(path, TASKS)
  await mkdir(tasks, { recursive: true, mode: 0o700 })
  await writeFile(join(tasks, safeName(task)), '')
  return path
}

/** Lists every home that an agent has used. */
export async function listAgentHomes(folder: string): Promise<AgentHome[]> {
  const names = await readdir(homesFolder(folder)).catch(() => [])
  const homes: AgentHome[] = []
  for (const agent of names.toSorted()) {
    const path = join(homesFolder(folder), agent)
    // Checked before the notes are read: a folder with a HOME already has its notes.
    if (agent === CHECKS || !(await isRealDirectory(join(path, 'home')))) continue
    homes.push({ agent, path, tasks: await readdir(join(path, TASKS)).catch(() => []) })
  }
  return homes
}
