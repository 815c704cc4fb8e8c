import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'

const writeLater = promisify(write)
const syncLater = promisify(fdatasync)

/** Every disk operation of the journal, so that a test can record writes and syncs in one place. */
export interface Disk {
  openForAppend(path: string): number
  size(fd: number): number
  write(fd: number, bytes: Uint8Array): number
  sync(fd: number): void
  writeLater(fd: number, bytes: Uint8Array): Promise<number>
  syncLater(fd: number): Promise<void>
  truncate(fd: number, length: number): void
  rename(from: string, to: string): void
  syncFolder(path: string): void
  close(fd: number): void
}

export const disk: Disk = {
  openForAppend: (path) => openSync(path, 'a', 0o644),
  size: (fd) => fstatSync(fd).size,
  write: (fd, bytes) => writeSync(fd, bytes),
  sync: (fd) => fdatasyncSync(fd),
  writeLater: async (fd, bytes) => (await writeLater(fd, bytes)).bytesWritten,
  syncLater: (fd) => syncLater(fd),
  truncate: (fd, length) => ftruncateSync(fd, length),
  rename: (from, to) => renameSync(from, to),
  syncFolder: (path) => {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  close: (fd) => closeSync(fd),
}

/** Replaces a file atomically. The new bytes are on disk on return, the name once the folder is synced. */
export function replaceWhole(disk: Disk, path: string, bytes: Uint8Array): void {
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  writeWhole(disk, draft, bytes)
  disk.rename(draft, path)
}

/** Writes a new file and waits until its bytes are on disk; a disk may take only a part of them at a time. */
function writeWhole(disk: Disk, path: string, bytes: Uint8Array): void {
  const fd = disk.openForAppend(path)
  try {
    for (let done = 0; done < bytes.length; ) done += disk.write(fd, bytes.subarray(done))
    disk.sync(fd)
  } finally {
    disk.close(fd)
  }
}
