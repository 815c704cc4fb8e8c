const REST_FIRST_MS = 1_000
const REST_MAX_MS = 60_000
/** What fails this often in a row will not mend itself. */
const FAILURES_MAX = 8

/** How long to wait after so many failures in a row; nothing when it is no use any more. */
export function restAfter(failures: number): number | undefined {
  if (failures > FAILURES_MAX) return undefined
  return Math.min(REST_MAX_MS, REST_FIRST_MS * 2 ** (failures - 1))
}
