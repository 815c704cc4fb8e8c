/** Timers hold no more than this; a longer sleep is slept in pieces. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** The time of this machine. */
export const systemClock = {
  now: (): number => Date.now(),

  /** Ends early, without an error, when the signal is given. */
  async sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && Date.now() < atMs) await sleepOnce(atMs - Date.now(), signal)
  },
}

function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), TIMER_MAX_MS))
    signal.addEventListener('abort', wake)
  })
}
