import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseId } from '../../cases/case.ts'
import { isRealDirectory } from '../../platform/files/read-regular-file.ts'
import { safeName } from '../../platform/git/names.ts'

/** The private folder of one agent. Its HOME lies in it, and with it the sessions that can be continued. */
export interface AgentHome {
  readonly agent: string
  readonly path: string
  /** What it worked on. Nothing for a home that a version made which did not write it down. */
  readonly tasks: readonly CaseId[]
}

/** Whether work can go on in an agent's home: a task that failed is kept for a person's retry for a time. */
export type HomeNeed =
  | { readonly kind: 'needed' | 'over' }
  | { readonly kind: 'failed'; readonly endedAtMs: number }

/** Beside the agents' homes, and of no agent. */
const CHECKS = 'checks'
const TASKS = 'tasks'

export function homesFolder(folder: string): string {
  return join(folder, 'private')
}

/** The folder of an agent that is about to work on a task; the task is noted before there is anything else in it. */
export async function openAgentHome(folder: string, agent: string, task: CaseId): Promise<string> {
  const path = join(homesFolder(folder), safeName(agent))
  const tasks = join(path, TASKS)
  await mkdir(tasks, { recursive: true, mode: 0o700 })
  await writeFile(join(tasks, safeName(task)), '')
  return path
}

/** Every home that an agent has lived in. */
export async function listAgentHomes(folder: string): Promise<AgentHome[]> {
  const names = await readdir(homesFolder(folder)).catch(() => [])
  const homes: AgentHome[] = []
  for (const agent of names.toSorted()) {
    const path = join(homesFolder(folder), agent)
    // Looked at before the notes: where there is a HOME they are already written.
    if (agent === CHECKS || !(await isRealDirectory(join(path, 'home')))) continue
    homes.push({ agent, path, tasks: await readdir(join(path, TASKS)).catch(() => []) })
  }
  return homes
}
