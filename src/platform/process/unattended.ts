/**
 * Tells a program that nobody is there to press keys: a test runner would watch files and wait. The same for the trials
 * of a first start, for set-ups and for checks, so that none of them passes where another waits.
 */
export const UNATTENDED = { CI: '1' } as const
