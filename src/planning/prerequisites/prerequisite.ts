/** What a probe may look at: a directory, the variables of the person who asks, and nothing else. */
export interface ProbeWorld {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Prerequisite {
  readonly name: string
  /** `fail`: work cannot start. `warn`: it can, and something is missing. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Of `docs/errors.md`, when there is something to look up. */
  readonly code?: string
  /** The command that mends it, or the sentence that says how. */
  readonly fix?: string
}

const megabyte = 1_000_000

export function showMegabytes(bytes: number): string {
  return bytes >= 1_000 * megabyte
    ? `${(bytes / (1_000 * megabyte)).toFixed(1)} GB`
    : `${Math.floor(bytes / megabyte)} MB`
}
