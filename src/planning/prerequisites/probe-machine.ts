import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { freemem } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/schema.ts'
import { systemCode } from '../../platform/failure.ts'
import { type Prerequisite, type ProbeWorld, showMegabytes } from './prerequisite.ts'

const NODE_MIN = [20, 19] as const
const MEGABYTE = 1_000_000
/** Enough for a coding agent and one test run; less makes the machine swap. */
const MEMORY_PER_AGENT_BYTES = 500 * MEGABYTE

export function probeNode(version: string): Prerequisite {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const enough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  if (enough) return { name: 'node', status: 'ok', found: version }
  const fix = 'install Node 20.19 or newer, for example: nvm install --lts'
  return { name: 'node', status: 'fail', found: `${version}, older than ${NODE_MIN.join('.')}`, fix }
}

export async function probeDisk(world: ProbeWorld, limits: Config['disk']): Promise<Prerequisite> {
  const { bavail, bsize } = await statfs(world.cwd)
  return judgeDisk(bavail * bsize, limits)
}

/** Apart from its measurement, so that a full disk can be shown without filling one. */
export function judgeDisk(freeBytes: number, limits: Config['disk']): Prerequisite {
  const found = `${showMegabytes(freeBytes)} free`
  const fix = 'free some space: old workspaces first, then: git gc'
  if (freeBytes < limits.pauseMegabytes * MEGABYTE) {
    return { name: 'disk', status: 'fail', code: 'PREREQ_DISK_LOW', found, fix }
  }
  if (freeBytes < limits.warnMegabytes * MEGABYTE) {
    return { name: 'disk', status: 'warn', code: 'PREREQ_DISK_LOW', found, fix }
  }
  return { name: 'disk', status: 'ok', found }
}

export function probeMemory(agents: number): Prerequisite {
  const available = availableMemoryBytes()
  const found = `${showMegabytes(available)} available for ${agents} ${agents === 1 ? 'agent' : 'agents'}`
  if (available >= agents * MEMORY_PER_AGENT_BYTES) return { name: 'memory', status: 'ok', found }
  const fewer = Math.max(1, Math.floor(available / MEMORY_PER_AGENT_BYTES))
  return { name: 'memory', status: 'warn', found, fix: `axiom config set agents.maxConcurrent ${fewer}` }
}

/** The kernel's own estimate where there is one: `free` memory alone ignores reclaimable caches. */
function availableMemoryBytes(): number {
  try {
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024
  } catch {
    // Only Linux has this file.
  }
  return freemem()
}

export async function probeWritable(folder: string, name = 'folder'): Promise<Prerequisite> {
  const probe = join(folder, `.axiom-probe-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(probe, '', { flag: 'wx' })
    await rm(probe)
    return { name, status: 'ok', found: `${folder} can be written` }
  } catch (error) {
    const found = `${folder} cannot be written (${systemCode(error) || String(error)})`
    return {
      name,
      status: 'fail',
      code: 'PREREQ_NO_WRITE',
      found,
      fix: fixForWriting(folder, systemCode(error)),
    }
  }
}

function fixForWriting(folder: string, reason: string): string {
  if (reason === 'EROFS') return 'the file system is mounted read-only: work in a clone on another one'
  if (reason === 'ENOSPC') return 'the disk is full: free some space'
  if (reason === 'ENOENT') return `mkdir -p ${folder}`
  return `sudo chown -R "$(id -un)" ${folder}`
}

export async function probePort(port: number): Promise<Prerequisite> {
  const trouble = await new Promise<string>((settle) => {
    const server = createServer()
    server.once('error', (error) => settle(systemCode(error)))
    server.listen(port, '127.0.0.1', () => server.close(() => settle('')))
  })
  if (trouble === '') return { name: 'port', status: 'ok', found: `127.0.0.1:${port} is free` }
  const found = `127.0.0.1:${port} cannot be used (${trouble})`
  return {
    name: 'port',
    status: 'warn',
    found,
    fix: 'axiom config set server.port 0',
  }
}
