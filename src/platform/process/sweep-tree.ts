import { setTimeout as sleep } from 'node:timers/promises'
import {
  hasInEnvironment,
  listProcesses,
  type ProcessMark,
  type ProcessRow,
  signalProcess,
  treeOf,
} from './process-table.ts'

/** The record of a tree without a namespace, by which it can be found again after a crash. */
export interface TreeRecord extends ProcessMark {
  /** Present in the environment of every process of the tree that has not cleared it. */
  readonly marker: string
}

export const MARKER_VARIABLE = 'PROCESS_TREE'

const SWEEP_ROUNDS_MAX = 40
const SWEEP_PAUSE_MS = 50

/**
 * Kills what is left of a tree that no namespace holds: its group, its session, its descendants, those seen below it
 * earlier, and every process with its marker. A process that left all of these at once escapes: that is why a
 * process group does not count as a sandbox.
 *
 * @returns how many processes were killed
 */
export async function sweepTree(
  record: TreeRecord,
  seen: ReadonlyMap<number, ProcessMark> = new Map(),
): Promise<number> {
  const killed = new Set<string>()
  for (let round = 0; round < SWEEP_ROUNDS_MAX; round += 1) {
    const rows = await findTree(record, seen)
    if (rows.length === 0) break
    for (const { pid, startTicks } of rows)
      if (signalProcess(pid, 'SIGKILL')) killed.add(`${pid}:${startTicks}`)
    await sleep(SWEEP_PAUSE_MS)
  }
  return killed.size
}

/** The live processes of a tree. */
export async function findTree(
  record: TreeRecord,
  seen: ReadonlyMap<number, ProcessMark> = new Map(),
): Promise<readonly ProcessRow[]> {
  const table = await listProcesses()
  // If the leader's id was reused by a newer process, that process's group must not be included.
  const reused = table.some(({ pid, startTicks }) => pid === record.pid && startTicks !== record.startTicks)
  const roots = new Set<number>()
  for (const row of table) {
    const known = seen.get(row.pid)?.startTicks === row.startTicks
    const grouped = !reused && (row.group === record.pid || row.session === record.pid)
    if (known || grouped || (await carriesMarker(row, record))) roots.add(row.pid)
  }
  return treeOf(roots, table).filter(({ pid }) => pid !== process.pid)
}

function carriesMarker(row: ProcessRow, record: TreeRecord): Promise<boolean> {
  // A process that started before the tree is not part of it: reading its environment is skipped.
  if (row.startTicks < record.startTicks) return Promise.resolve(false)
  return hasInEnvironment(row.pid, `${MARKER_VARIABLE}=${record.marker}`)
}
