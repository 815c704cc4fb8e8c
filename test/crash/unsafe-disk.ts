import { type Disk, disk } from '../../src/store/jsonl/disk.ts'

const FLUSH_MS = 20

/** A disk that says "written" of bytes that are still in this process: what a store must not rest on. */
export function bufferedDisk(): Disk {
  const held = new Map<number, Uint8Array[]>()
  const flush = (fd: number) => {
    for (const bytes of held.get(fd)?.splice(0) ?? []) disk.write(fd, bytes)
  }
  const write = (fd: number, bytes: Uint8Array): number => {
    const waiting = held.get(fd) ?? []
    if (waiting.length === 0) setTimeout(() => flush(fd), FLUSH_MS)
    held.set(fd, [...waiting, Uint8Array.from(bytes)])
    return bytes.length
  }
  return {
    ...disk,
    write,
    writeLater: async (fd, bytes) => write(fd, bytes),
    sync: () => undefined,
    syncLater: async () => undefined,
  }
}
