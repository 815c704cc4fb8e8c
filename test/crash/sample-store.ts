import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import type { Damage } from '../../src/store/damage.ts'
import { type Disk, disk } from '../../src/store/jsonl/disk.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { CaseRecord, Committed, Store } from '../../src/store/store.ts'
import { below, type Random } from './random.ts'

/** For tests of what is read, not of what is durable: opening a store a thousand times must not wait for the disk. */
export const QUICK_DISK: Disk = {
  ...disk,
  sync: () => undefined,
  syncLater: async () => undefined,
  syncFolder: () => undefined,
}

/** Everything that a reader of the store can see. */
export interface State {
  readonly cases: Readonly<Record<string, unknown>>
  readonly held: readonly string[]
  readonly ready: readonly string[]
  readonly project: unknown
}

export async function commit(store: Store, ...commands: readonly CaseCommand[]): Promise<Committed> {
  const outcome = await store.transact({ by: 'tester', commands })
  if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome))
  return outcome
}

/** An operation with three tasks: a commit of four lines. */
export async function createOperation(store: Store, content: string): Promise<readonly string[]> {
  const task = { kind: 'create', type: 'task', parentId: '$operation', content } as const
  const operation = { kind: 'create', type: 'operation', content, as: 'operation' } as const
  const { created } = await commit(store, operation, task, task, task)
  return created
}

/** Cases of several kinds with a life behind them: commits of one line and of many, and a document. */
export async function fillStore(store: Store, random: Random, commits: number): Promise<void> {
  const tasks: string[] = []
  for (let turn = 0; turn < commits; turn += 1) {
    const id = tasks[below(random, tasks.length)]
    const kind = below(random, 6)
    if (id === undefined || kind === 0) {
      tasks.push(...(await createOperation(store, `need ${turn}`)).slice(1))
    } else if (kind === 1) {
      const { rev } = await store.document('project')
      const documents = [{ key: 'project', value: { mode: 'autopilot', turn }, expect: rev }]
      await store.transact({ by: 'tester', commands: [], documents })
    } else if (kind === 2) {
      const claim = { kind: 'claim', id, stage: 'develop', holder: 'echo-001', ttlMs: 60_000 } as const
      await store.transact({ by: 'echo-001', commands: [claim] })
    } else if (kind === 3) {
      await commit(store, { kind: 'create', type: 'draft', content: `idea ${turn} – „ünïcode“` })
    } else {
      await commit(store, { kind: 'update', id, content: `better said in turn ${turn}` })
    }
  }
}

export async function stateOf(store: Store): Promise<State> {
  const records = await store.query({ deleted: true })
  const cases: Record<string, unknown> = {}
  for (const record of records) {
    cases[record.id] = { ...plain(record), history: await store.history(record.id) }
  }
  const { value } = await store.document('project')
  return {
    cases,
    held: records.filter(({ held }) => held !== undefined).map(({ id }) => id),
    ready: (await store.query({ ready: true })).map(({ id }) => id).sort(),
    project: value,
  }
}

/** The order of children is that of the file, and says nothing. */
function plain({ held: _, childIds, ...record }: CaseRecord): object {
  return { ...record, childIds: [...childIds].sort() }
}

export function journalOf(folder: string): string {
  return join(folder, 'cases.jsonl')
}

export function readJournal(folder: string): Buffer {
  return readFileSync(journalOf(folder))
}

/** Makes the folder hold this journal; of what was there only the counters stay, which would be written anew each time. */
export function placeJournal(folder: string, bytes: Uint8Array): void {
  for (const name of readdirSync(folder)) if (name.startsWith('cases.jsonl')) rmSync(join(folder, name))
  writeFileSync(journalOf(folder), bytes)
}

/** Opens the store, looks at it, and closes it. */
export async function load(folder: string): Promise<{ state: State; damage: readonly Damage[] }> {
  const store = new FileStore({ folder, disk: QUICK_DISK })
  try {
    const { damage } = await store.report()
    return { state: await stateOf(store), damage }
  } finally {
    await store.close()
  }
}
