import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../platform/files/read-text.ts'
import { findProcess, isAlive, type ProcessMark } from '../platform/process/process-table.ts'
import { findTree, sweepTree, type TreeRecord } from '../platform/process/sweep-tree.ts'
import type { Orphan } from './health-facts.ts'

interface LedgerEntry {
  readonly agent: string
  readonly tree: TreeRecord
  /** The process that started the tree and is responsible for it. */
  readonly owner: ProcessMark
}

/**
 * The process trees that AXIOM started, recorded before they begin to work, so that after any crash the next
 * orchestrator finds what was left. Only recorded trees are ever ended: no process is matched by its name.
 */
export class ProcessLedger {
  readonly #folder: string
  readonly #owner: ProcessMark

  private constructor(folder: string, owner: ProcessMark) {
    this.#folder = folder
    this.#owner = owner
  }

  static async open(folder: string, ownPid: number): Promise<ProcessLedger> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const row = await findProcess(ownPid)
    return new ProcessLedger(folder, { pid: ownPid, startTicks: row?.startTicks ?? 0 })
  }

  async note(agent: string, tree: TreeRecord): Promise<void> {
    const entry: LedgerEntry = { agent, tree, owner: this.#owner }
    const file = this.#fileOf(tree)
    // Not synced: a power loss ends the processes, too.
    await writeFile(`${file}.new`, JSON.stringify(entry), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  async forget(tree: TreeRecord): Promise<void> {
    await rm(this.#fileOf(tree), { force: true })
  }

  /** The live trees whose orchestrator is gone; entries without a live process are removed. */
  async findOrphans(): Promise<Orphan[]> {
    const orphans: Orphan[] = []
    for (const name of await readdir(this.#folder)) {
      const entry = readEntry((await readText(join(this.#folder, name))) ?? '')
      if (!entry || (await isAlive(entry.owner))) continue
      const left = await findTree(entry.tree)
      if (left.length === 0) await this.forget(entry.tree)
      else orphans.push({ agent: entry.agent, tree: entry.tree, processes: left.length })
    }
    return orphans
  }

  /** Ends an orphan with all its processes. */
  async sweep({ tree }: Orphan): Promise<number> {
    const killed = await sweepTree(tree)
    await this.forget(tree)
    return killed
  }

  #fileOf({ marker }: TreeRecord): string {
    return join(this.#folder, `${marker}.json`)
  }
}

/** A file that a crash truncated identifies no process that could be ended safely. */
function readEntry(text: string): LedgerEntry | undefined {
  try {
    const value = JSON.parse(text) as LedgerEntry
    const isWhole = typeof value.tree?.marker === 'string' && typeof value.owner?.pid === 'number'
    return isWhole ? value : undefined
  } catch {
    return undefined
  }
}
