/**
 * A failure outside AXIOM: git, the disk, another process, a file that was edited by hand.
 * Outcomes that a caller must expect are values, not failures; bugs stop at `assert`.
 */
export class Failure extends Error {
  readonly code: string
  /** What the reader can do about it, as a sentence or a command. */
  readonly hint: string
  readonly retryable: boolean

  constructor(
    code: string,
    message: string,
    options: { hint?: string; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.code = code
    this.hint = options.hint ?? ''
    this.retryable = options.retryable ?? false
  }
}

/** The `code` of a Node system error (`ENOENT`, `ENOSPC`, …), or an empty string for any other value. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return ''
}
