/** From the tightest to the loosest. Only the canary can tell what each confines on this machine. */
export type SandboxLevel = 'bwrap' | 'unshare' | 'process-group'

export const SANDBOX_LEVELS: readonly SandboxLevel[] = ['bwrap', 'unshare', 'process-group']

/** `host`: all of it. `proxy`: named hosts through a proxy. `none`: not even the machine's own ports. */
export type Network =
  | { readonly kind: 'host' }
  | { readonly kind: 'proxy' /** Of an `AllowProxy`. */; readonly socket: string }
  | { readonly kind: 'none' }

export interface Limits {
  /** Processes and threads of one agent; not enforced where there is only a process group. */
  readonly processesMax: number
  /** Private writable memory of each single process. */
  readonly memoryBytesMax: number
  readonly fileBytesMax: number
}

const GIBIBYTE = 1024 ** 3

export const DEFAULT_LIMITS: Limits = {
  processesMax: 4_096,
  memoryBytesMax: 8 * GIBIBYTE,
  fileBytesMax: 4 * GIBIBYTE,
}

/** The paths that one confined program may see and touch, all absolute and without symbolic links. */
export interface Confinement {
  /** Writable, and the working directory. */
  readonly workspace: string
  /** A private folder that appears at the path of the user's own HOME. */
  readonly home: string
  /** A private folder that appears as `/tmp`. */
  readonly temporary: string
  /** Hidden in addition to the usual places: the repository, and state that the program must not see. */
  readonly masked: readonly string[]
  readonly readOnly: readonly string[]
  readonly readWrite: readonly string[]
  readonly network: Network
  readonly limits: Limits
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  /** Added to the allow-listed environment of the host. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Files that are part of the program, such as the script an interpreter runs: readable wherever they are.
   */
  readonly files?: readonly string[]
}

export interface Identity {
  readonly uid: number
  readonly gid: number
}

/** Facts about the machine and the user that a sandbox needs, read once at the edge of the program. */
export interface SandboxHost {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The user's HOME. */
  readonly home: string
  /** The user that confined programs run as when the orchestrator is root; the user `nobody` when absent. */
  readonly identity?: Identity
}

export const NOBODY: Identity = { uid: 65_534, gid: 65_534 }
