/** From the tightest to the loosest. What each really holds on this machine, only the canary can say. */
export type SandboxLevel = 'bwrap' | 'unshare' | 'process-group'

export const SANDBOX_LEVELS: readonly SandboxLevel[] = ['bwrap', 'unshare', 'process-group']

/** `host`: all of it. `proxy`: named hosts through a proxy. `none`: not even the machine's own ports. */
export type Network =
  | { readonly kind: 'host' }
  | { readonly kind: 'proxy' /** Of an `AllowProxy`. */; readonly socket: string }
  | { readonly kind: 'none' }

export interface Limits {
  /** Processes and threads of one agent; not held where there is only a process group. */
  readonly processesMax: number
  /** Of each single process: private writable memory. */
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
  /** Hidden besides the usual places: the repository, and the state that is none of the program's business. */
  readonly masked: readonly string[]
  readonly readOnly: readonly string[]
  readonly readWrite: readonly string[]
  readonly network: Network
  readonly limits: Limits
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  /** Over the allow-listed environment of the host. */
  readonly environment: Readonly<Record<string, string>>
  /** Files that are part of the program, such as the script an interpreter runs: readable wherever they lie. */
  readonly files?: readonly string[]
}

export interface Identity {
  readonly uid: number
  readonly gid: number
}

/** What a sandbox has to know of the machine and the user, read once at the edge of the program. */
export interface SandboxHost {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The user's HOME. */
  readonly home: string
  /** Whom confined programs run as when the orchestrator is root; nobody when absent. */
  readonly identity?: Identity
}

export const NOBODY: Identity = { uid: 65_534, gid: 65_534 }
