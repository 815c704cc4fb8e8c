import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** The machine, and its boot, on which a lock was made: a process id means nothing anywhere else. */
export interface HostMark {
  readonly name: string
  /** The id of the installation, stable across restarts; empty where the system has none. */
  readonly machine: string
  /** The boot id of the running kernel, shared by all its containers; empty where the system has none. */
  readonly boot: string
}

/**
 * - `same`: process ids and sockets of the mark can be checked here.
 * - `same-kernel`: another container; its sockets can be reached, its processes cannot be seen.
 * - `restarted`: this machine before its last restart; no process of that time is alive.
 * - `other`: nothing can be checked from here.
 */
export type HostRelation = 'same' | 'same-kernel' | 'restarted' | 'other'

const NAME = /^[\w.-]{1,253}$/
const ID = /^[\w-]{0,64}$/

/** A lock without a mark is of an older version: it is treated as a lock of this host. */
export function compareHosts(here: HostMark, mark: HostMark | undefined): HostRelation {
  if (mark === undefined) return 'same'
  const isSameMachine = mark.name === here.name && mark.machine === here.machine
  if (mark.boot === here.boot && isSameMachine) return 'same'
  if (mark.boot === here.boot && here.boot !== '') return 'same-kernel'
  return isSameMachine ? 'restarted' : 'other'
}

/** The host mark in a parsed file; undefined when it is not a valid one. */
export function readHostMark(value: unknown): HostMark | undefined {
  const { name, machine, boot } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || typeof machine !== 'string' || typeof boot !== 'string') return undefined
  return NAME.test(name) && ID.test(machine) && ID.test(boot) ? { name, machine, boot } : undefined
}

let known: HostMark | undefined

export function thisHost(): HostMark {
  known ??= {
    name: hostname(),
    machine: firstLineOf('/etc/machine-id'),
    boot: firstLineOf('/proc/sys/kernel/random/boot_id'),
  }
  return known
}

function firstLineOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
