/** What a probe may read: a directory, the environment of the user, and nothing else. */
export interface ProbeWorld {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Prerequisite {
  readonly name: string
  /** `fail`: work cannot start. `warn`: it can, and something is missing. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** A code of `docs/errors.md`, when there is an entry. */
  readonly code?: string
  /** The command that fixes it, or a sentence that says how. */
  readonly fix?: string
}

const megabyte = 1_000_000

export function showMegabytes(bytes: number): string {
  return bytes >= 1_000 * megabyte
    ? `${(bytes / (1_000 * megabyte)).toFixed(1)} GB`
    : `${Math.floor(bytes / megabyte)} MB`
}
