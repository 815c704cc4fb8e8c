import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import type { LogRange, LogReference } from '../contract.ts'

export const LOG_FOLDER = /^[a-z][a-z0-9-]{0,40}$/
export const LOG_FILE = /^[a-z][a-z0-9-]{0,80}\.(?:jsonl|log)(?:\.\d{1,2})?$/
/** The folder of the logs that belong to no kind of agent. */
const PROJECT = 'project'
export const RANGE_BYTES_MAX = 1024 * 1024
const RANGE_BYTES = 256 * 1024
const FOLDERS_MAX = 100
const LINE_FEED = 0x0a

/** The wanted part of a log: from an offset on, up to an offset, or the end. */
export interface LogPlace {
  readonly from?: number | undefined
  readonly before?: number | undefined
  readonly bytes?: number | undefined
}

/** Whole lines of a log by byte offset: the cost does not grow with the length of the log. */
export async function readLog(
  projectFolder: string,
  agents: string,
  file: string,
  place: LogPlace,
): Promise<LogRange> {
  await using log = await openLog(projectFolder, agents, file)
  const { size } = await log.stat()
  const length = Math.min(place.bytes ?? RANGE_BYTES, RANGE_BYTES_MAX)
  const end =
    place.from === undefined ? Math.min(place.before ?? size, size) : Math.min(place.from + length, size)
  const start = place.from === undefined ? Math.max(0, end - length) : Math.min(place.from, size)
  // The byte before the range shows whether the range starts at a line start.
  const lead = start > 0 ? 1 : 0
  const bytes = Buffer.alloc(end - start + lead)
  const { bytesRead } = await log.read(bytes, 0, bytes.length, start - lead)
  const isFull = end - start === length
  const { from, to } = wholeLines(bytes.subarray(0, bytesRead), lead, place.from !== undefined, isFull)
  const base = start - lead
  return {
    agents,
    file,
    bytes: size,
    from: base + from,
    to: base + to,
    text: bytes.toString('utf8', from, to),
  }
}

/**
 * A line longer than the range is returned in parts, so that reading always advances; a line that is still
 * being written is left for later.
 */
function wholeLines(
  bytes: Buffer,
  lead: number,
  keepsStart: boolean,
  isFull: boolean,
): { readonly from: number; readonly to: number } {
  const last = bytes.lastIndexOf(LINE_FEED) + 1
  const first = keepsStart || lead === 0 ? lead : bytes.indexOf(LINE_FEED) + 1
  const hasLines = last > lead && first < last && (keepsStart || lead === 0 || first > 0)
  if (hasLines) return { from: first, to: last }
  return { from: lead, to: keepsStart && !isFull ? lead : bytes.length }
}

/** Follows no symbolic link: one planted by an agent must not choose what is shown. */
async function openLog(projectFolder: string, agents: string, file: string): Promise<FileHandle> {
  const folder = folderOf(projectFolder, agents)
  try {
    if (!LOG_FOLDER.test(agents) || !LOG_FILE.test(file)) throw absent(agents, file)
    const home = await realpath(projectFolder)
    if ((await realpath(folder)) !== folderOf(home, agents)) throw absent(agents, file)
    const log = await open(
      join(folder, file),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    if ((await log.stat()).isFile()) return log
    await log.close()
    throw absent(agents, file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO'].includes(systemCode(error)))
      throw absent(agents, file)
    throw error
  }
}

function folderOf(projectFolder: string, agents: string): string {
  return agents === PROJECT ? join(projectFolder, 'logs') : join(projectFolder, 'agents', agents, 'logs')
}

function absent(agents: string, file: string): Failure {
  return new Failure('NotFound', `there is no log ${file} of ${agents}`, { hint: 'the case names its logs' })
}

/** The logs that agents of any kind wrote about a case. */
export async function listLogs(projectFolder: string, id: string): Promise<LogReference[]> {
  const folders = (await readdir(join(projectFolder, 'agents')).catch(() => []))
    .filter((name) => LOG_FOLDER.test(name))
    .slice(0, FOLDERS_MAX)
  const found = await Promise.all([PROJECT, ...folders].map((agents) => logsIn(projectFolder, agents, id)))
  return found.flat().sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
}

async function logsIn(projectFolder: string, agents: string, id: string): Promise<LogReference[]> {
  const folder = folderOf(projectFolder, agents)
  const names = (await readdir(folder).catch(() => [])).filter((name) => isAbout(name, id))
  const references = await Promise.all(
    names.map(async (file) => {
      const found = await stat(join(folder, file)).catch(() => undefined)
      return found && { agents, file, bytes: found.size, updatedAt: found.mtime.toISOString() }
    }),
  )
  return references.filter((reference) => reference !== undefined)
}

/** `task-004.jsonl` has the entries of a run, `echo-001-task-004.log` the output of the agent's program. */
function isAbout(name: string, id: string): boolean {
  const stem = name.slice(0, name.indexOf('.'))
  return LOG_FILE.test(name) && (stem === id || stem.endsWith(`-${id}`))
}
