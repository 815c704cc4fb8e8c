import { createHash } from 'node:crypto'
import { type Disk, disk } from '../../src/store/jsonl/disk.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { Life } from './life.ts'

/** A disk that syncs nothing; what a dead process would still have written is not written. */
function mortalDisk(life: Life): Disk {
  return {
    ...disk,
    write: (fd, bytes) => (life.isOver ? bytes.length : disk.write(fd, bytes)),
    sync: () => undefined,
    writeLater: async (fd, bytes) => (life.isOver ? bytes.length : disk.write(fd, bytes)),
    syncLater: async () => undefined,
    syncFolder: () => undefined,
  }
}

export interface Opened {
  /** As the director has it: every call of it may be its last. */
  readonly mortal: Store
  /** As people have it, from another process. */
  readonly plain: Store
}

/** What outlives every process without being a matter of the director: kept in memory, because files are slow. */
export interface Kept {
  readonly blobs: Map<string, Uint8Array>
  readonly numbers: Map<string, number>
}

/** The real store on real files, but for blobs and the numbers of agents. */
export function openMortalStore(
  folder: string,
  life: Life,
  clock: () => string,
  { blobs, numbers }: Kept,
): Opened {
  const store = new FileStore({ folder, clock, disk: mortalDisk(life) })
  const putBlob = async (bytes: Uint8Array): Promise<string> => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    blobs.set(digest, bytes)
    return digest
  }
  const getBlob = async (digest: string) => blobs.get(digest)
  const allocate = async (prefix: string): Promise<number> => {
    const number = (numbers.get(prefix) ?? 0) + 1
    numbers.set(prefix, number)
    return number
  }
  const through = (gate: (call: () => unknown) => unknown): Store =>
    new Proxy(store, {
      get: (target, name) => {
        if (name === 'putBlob') return putBlob
        if (name === 'getBlob') return getBlob
        if (name === 'allocate') return (prefix: string) => gate(() => allocate(prefix))
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const call = member.bind(target) as (...given: unknown[]) => unknown
        if (name === 'feed' || name === 'publishLive') return call
        return (...given: unknown[]) => gate(() => call(...given))
      },
    })
  return {
    mortal: through((call) => life.pass(async () => call())),
    plain: through((call) => life.watch(async () => call())),
  }
}
