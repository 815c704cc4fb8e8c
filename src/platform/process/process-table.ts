import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { systemCode } from '../failure.ts'

/** Process ids are reused; together with the start time they identify one process. */
export interface ProcessMark {
  readonly pid: number
  /** Clock ticks since boot, as the kernel counts them. */
  readonly startTicks: number
}

export interface ProcessRow extends ProcessMark {
  readonly parent: number
  readonly group: number
  readonly session: number
}

/** The row of one process, or undefined when it is gone (or only waits to be reaped). */
export async function findProcess(pid: number): Promise<ProcessRow | undefined> {
  const { state, ...row } = parseRow(pid, await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  if (!state || state === 'Z' || state === 'X' || !Number.isFinite(row.startTicks)) return undefined
  return row
}

/**
 * When a child started; 0 where there is no /proc. Read synchronously, while the child cannot have been
 * reaped: a delay between the start and the first listener would lose the output of a short-lived child.
 */
export function startTicksOf(pid: number): number {
  try {
    return parseRow(pid, readFileSync(`/proc/${pid}/stat`, 'utf8')).startTicks || 0
  } catch {
    return 0
  }
}

function parseRow(pid: number, text: string): ProcessRow & { readonly state: string | undefined } {
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  return {
    state,
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
  }
}

/** Every live process of the machine that this namespace shows; empty where there is no /proc. */
export async function listProcesses(): Promise<ProcessRow[]> {
  const names = await readdir('/proc').catch(() => [])
  const rows = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => findProcess(+name)))
  return rows.filter((row) => row !== undefined)
}

export async function isAlive(mark: ProcessMark): Promise<boolean> {
  return (await findProcess(mark.pid))?.startTicks === mark.startTicks
}

/** Whether a process has this id, also without /proc; the id may have been reused by another process. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    return systemCode(error) === 'EPERM'
  }
}

export function childrenOf(pid: number, table: readonly ProcessRow[]): ProcessRow[] {
  return table.filter(({ parent }) => parent === pid)
}

/** The same for one live process, without reading the whole table. */
export async function listChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** The roots and everything below them. */
export function treeOf(roots: ReadonlySet<number>, table: readonly ProcessRow[]): ProcessRow[] {
  const found = new Set(roots)
  let before = -1
  while (found.size !== before) {
    before = found.size
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid)
  }
  return table.filter(({ pid }) => found.has(pid))
}

/** Whether the process was started with this text in its environment. */
export async function hasInEnvironment(pid: number, text: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined)
  return environment?.includes(text) ?? false
}

/** A signal to a process that may be gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
