import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { systemCode } from '../platform/failure.ts'
import type { HealthFacts } from './health-facts.ts'

/** Free bytes for AXIOM, not for root alone, on the fullest of the disks below these paths. */
export async function measureDisk(paths: readonly string[]): Promise<number> {
  const free = await Promise.all(paths.map(freeBytes))
  return Math.min(...free)
}

/** A folder that is not made yet will lie on the disk of the one above it. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    return freeBytes(dirname(path))
  }
}

/** Of the machine, or of the container that AXIOM is confined to. */
export function measureMemory(): HealthFacts['memory'] {
  const machineBytes = totalmem()
  const allowedBytes = process.constrainedMemory() ?? 0
  const isConfined = allowedBytes > 0 && allowedBytes < machineBytes
  return {
    availableBytes: process.availableMemory(),
    totalBytes: isConfined ? allowedBytes : machineBytes,
  }
}
