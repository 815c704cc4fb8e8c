/**
 * Marks a run as non-interactive: a test runner would otherwise watch files and wait for keys. The same for
 * the trials of a first start, for set-ups and for checks, so that none of them passes where another waits.
 */
export const UNATTENDED = { CI: '1' } as const
