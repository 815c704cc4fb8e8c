/** The longest delay of a timer; a longer sleep is split into several. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** The wall clock of this machine; it may be set, by hand or over the network, at any time. */
export const systemClock = {
  now: (): number => Date.now(),

  /** Resolves early, without an error, when the signal is aborted. */
  sleepUntil: (atMs: number, signal: AbortSignal): Promise<void> => sleepFor(atMs - Date.now(), signal),

  /**
   * A clock that starts at the same time and then counts elapsed time: setting the wall clock reaches no
   * limit.
   */
  steady() {
    const setMs = Date.now() - performance.now()
    const now = (): number => Math.round(setMs + performance.now())
    return { now, sleepUntil: (atMs: number, signal: AbortSignal) => sleepFor(atMs - now(), signal) }
  },
}

/** Sleeps for the whole span, even if the wall clock is set meanwhile. */
async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + ms
  while (!signal.aborted && performance.now() < endMs) await sleepOnce(endMs - performance.now(), signal)
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
