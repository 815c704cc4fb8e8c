import { join } from 'node:path'
import type { Operation } from './recorded-disk.ts'

/** How the power goes: which of the things that were not synced reached the disk all the same. */
export interface Fate {
  readonly pageBytes: number
  /** Whether a page that was written since the last sync is there. */
  keepsPage(): boolean
  /** Whether a file is as long as it was, though its pages may be missing. */
  keepsLength(): boolean
  /** How many of the folder's changes since its last sync are there; they come in their order. */
  keepsNames(changes: number): number
}

type NameChange = Extract<Operation, { kind: 'create' | 'rename' }>

class CachedFile {
  durable = Buffer.alloc(0)
  current = Buffer.alloc(0)
  /** The bytes written since the last sync, as pairs of offsets. */
  dirty: (readonly [from: number, to: number])[] = []

  write(at: number, bytes: Buffer): void {
    const grown = Buffer.alloc(Math.max(this.current.length, at + bytes.length))
    this.current.copy(grown)
    bytes.copy(grown, at)
    this.current = grown
    this.dirty.push([at, at + bytes.length])
  }

  truncate(length: number): void {
    this.dirty.push([Math.min(length, this.current.length), this.current.length])
    this.current = Buffer.from(this.current.subarray(0, length))
  }

  sync(): void {
    this.durable = this.current
    this.dirty = []
  }

  afterPowerLoss(fate: Fate): Buffer {
    if (this.dirty.length === 0) return this.durable
    const length = fate.keepsLength() ? this.current.length : this.durable.length
    const image = Buffer.alloc(Math.max(length, this.durable.length))
    this.durable.copy(image)
    let end = length
    for (const page of this.#dirtyPages(fate.pageBytes)) {
      if (!fate.keepsPage()) continue
      const to = Math.min(page + fate.pageBytes, this.current.length)
      if (to > image.length) continue
      this.current.copy(image, page, page, to)
      end = Math.max(end, to)
    }
    return image.subarray(0, Math.max(end, length))
  }

  #dirtyPages(pageBytes: number): Set<number> {
    const pages = new Set<number>()
    for (const [from, to] of this.dirty) {
      for (let page = from - (from % pageBytes); page < to; page += pageBytes) pages.add(page)
    }
    return pages
  }
}

/** The files that a computer finds when the power went after these operations. */
export function filesAfterPowerLoss(operations: readonly Operation[], fate: Fate): Map<string, Buffer> {
  const files = new Map<string, CachedFile>()
  const fileOf = (inode: string) => {
    const file = files.get(inode) ?? new CachedFile()
    files.set(inode, file)
    return file
  }
  const names = new Map<string, string>()
  const unsyncedNames = new Map<string, NameChange[]>()
  for (const operation of operations) {
    if (operation.kind === 'write') fileOf(operation.inode).write(operation.at, operation.bytes)
    else if (operation.kind === 'truncate') fileOf(operation.inode).truncate(operation.length)
    else if (operation.kind === 'sync') fileOf(operation.inode).sync()
    else if (operation.kind === 'sync-folder') {
      for (const change of unsyncedNames.get(operation.folder) ?? []) rename(names, change)
      unsyncedNames.delete(operation.folder)
    } else if (operation.kind === 'create' || operation.kind === 'rename') {
      const changes = unsyncedNames.get(operation.folder) ?? []
      unsyncedNames.set(operation.folder, [...changes, operation])
    }
  }
  for (const changes of unsyncedNames.values()) {
    for (const change of changes.slice(0, fate.keepsNames(changes.length))) rename(names, change)
  }
  return new Map([...names].map(([path, inode]) => [path, fileOf(inode).afterPowerLoss(fate)]))
}

function rename(names: Map<string, string>, change: NameChange): void {
  if (change.kind === 'create') {
    names.set(join(change.folder, change.name), change.inode)
    return
  }
  const from = join(change.folder, change.from)
  const inode = names.get(from)
  if (inode === undefined) return
  names.delete(from)
  names.set(join(change.folder, change.to), inode)
}
