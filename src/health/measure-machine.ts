import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { systemCode } from '../platform/failure.ts'
import type { HealthFacts } from './health-facts.ts'

/** Free bytes on the fullest of the disks below these paths, without those reserved for root. */
export async function measureDisk(paths: readonly string[]): Promise<number> {
  const free = await Promise.all(paths.map(freeBytes))
  return Math.min(...free)
}

/** A folder that does not exist yet will be on the disk of its parent. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    return freeBytes(dirname(path))
  }
}

/** Memory of the machine, or of the container that AXIOM is confined to. */
export function measureMemory(): HealthFacts['memory'] {
  const machineBytes = totalmem()
  const allowedBytes = process.constrainedMemory() ?? 0
  const isConfined = allowedBytes > 0 && allowedBytes < machineBytes
  return {
    availableBytes: process.availableMemory(),
    totalBytes: isConfined ? allowedBytes : machineBytes,
  }
}
