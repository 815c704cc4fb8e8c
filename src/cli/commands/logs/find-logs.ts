import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A log file of either kind. */
export interface LogFile {
  readonly path: string
  readonly name: string
  readonly isCompressed: boolean
  /** `entries`: what a run did, as JSON. `output`: everything that an agent's program printed. */
  readonly kind: 'entries' | 'output'
  readonly changedMs: number
}

const LOG = /^([a-z0-9-]+)\.(jsonl|log)(?:\.\d{1,2})?(?:\.\d+\.gz)?$/

/**
 * The logs of a case or an agent, oldest first. Execution entries are filed by task, program output by agent
 * and task.
 */
export async function findLogs(projectFolder: string, word: string): Promise<LogFile[]> {
  const agents = join(projectFolder, 'agents')
  const names = await readdir(agents).catch(() => [])
  const folders = [join(projectFolder, 'logs'), ...names.map((name) => join(agents, name, 'logs'))]
  const found = await Promise.all(folders.map((folder) => logsIn(folder, word)))
  return found.flat().toSorted((a, b) => a.changedMs - b.changedMs || a.name.localeCompare(b.name))
}

async function logsIn(folder: string, word: string): Promise<LogFile[]> {
  const files = await Promise.all(
    (await readdir(folder).catch(() => [])).map(async (name): Promise<LogFile[]> => {
      const [, stem = '', form] = LOG.exec(name) ?? []
      if (stem !== word && !stem.startsWith(`${word}-`) && !stem.endsWith(`-${word}`)) return []
      const path = join(folder, name)
      const found = await lstat(path).catch(() => undefined)
      if (!found?.isFile()) return []
      const kind = form === 'jsonl' ? 'entries' : 'output'
      return [{ path, name, isCompressed: name.endsWith('.gz'), kind, changedMs: found.mtimeMs }]
    }),
  )
  return files.flat()
}

/** Every agent and case that has a log, for the hint when a name was not found. */
export async function listLogged(projectFolder: string): Promise<string[]> {
  const logs = await Promise.all(
    [join(projectFolder, 'logs'), ...(await agentLogs(projectFolder))].map((folder) =>
      readdir(folder).catch(() => []),
    ),
  )
  const stems = logs.flat().flatMap((name) => LOG.exec(name)?.[1] ?? [])
  return [...new Set(stems)].toSorted()
}

async function agentLogs(projectFolder: string): Promise<string[]> {
  const names = await readdir(join(projectFolder, 'agents')).catch(() => [])
  return names.map((name) => join(projectFolder, 'agents', name, 'logs'))
}
