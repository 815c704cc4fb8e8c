import { fstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Disk, disk } from '../../src/store/jsonl/disk.ts'

/** A file, whatever its name is; the number of one that is gone is given to another, its time of birth is not. */
type Inode = string

function inodeOf(fd: number): Inode {
  const { ino, birthtimeNs } = fstatSync(fd, { bigint: true })
  return `${ino} ${birthtimeNs}`
}

/** What reached the disk's cache, in its order; `acknowledged` stands where the store gave an answer. */
export type Operation =
  | { readonly kind: 'write'; readonly inode: Inode; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly inode: Inode; readonly length: number }
  | { readonly kind: 'sync'; readonly inode: Inode }
  | { readonly kind: 'create'; readonly folder: string; readonly name: string; readonly inode: Inode }
  | { readonly kind: 'rename'; readonly folder: string; readonly from: string; readonly to: string }
  | { readonly kind: 'sync-folder'; readonly folder: string }
  | { readonly kind: 'acknowledged'; readonly what: string }

/** Works on real files and writes down every operation; nothing is really synced, a replay decides what was. */
export class RecordedDisk implements Disk {
  readonly operations: Operation[] = []
  readonly #known = new Set<Inode>()
  #killNext = false
  #isDead = false

  /** The process is killed after its next write, before the sync. */
  killBeforeSync(): void {
    this.#killNext = true
  }

  /** The next process. */
  revive(): void {
    this.#isDead = false
  }

  acknowledge(what: string): void {
    this.operations.push({ kind: 'acknowledged', what })
  }

  openForAppend(path: string): number {
    const fd = disk.openForAppend(path)
    const inode = inodeOf(fd)
    if (!this.#known.has(inode)) {
      this.#known.add(inode)
      this.operations.push({ kind: 'create', folder: dirname(path), name: basename(path), inode })
    }
    return fd
  }

  size(fd: number): number {
    return disk.size(fd)
  }

  write(fd: number, bytes: Uint8Array): number {
    const at = disk.size(fd)
    this.operations.push({ kind: 'write', inode: inodeOf(fd), at, bytes: Buffer.from(bytes) })
    return disk.write(fd, bytes)
  }

  sync(fd: number): void {
    if (this.#killNext) {
      this.#killNext = false
      this.#isDead = true
      throw new Error('killed')
    }
    this.operations.push({ kind: 'sync', inode: inodeOf(fd) })
  }

  async writeLater(fd: number, bytes: Uint8Array): Promise<number> {
    return this.write(fd, bytes)
  }

  async syncLater(fd: number): Promise<void> {
    this.sync(fd)
  }

  truncate(fd: number, length: number): void {
    if (this.#isDead) return
    this.operations.push({ kind: 'truncate', inode: inodeOf(fd), length })
    disk.truncate(fd, length)
  }

  rename(from: string, to: string): void {
    disk.rename(from, to)
    const names = { from: basename(from), to: basename(to) }
    this.operations.push({ kind: 'rename', folder: dirname(from), ...names })
  }

  syncFolder(path: string): void {
    this.operations.push({ kind: 'sync-folder', folder: path })
  }

  close(fd: number): void {
    disk.close(fd)
  }
}
