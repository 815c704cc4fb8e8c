/** Timers hold no more than this; a longer sleep is slept in pieces. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** The time of this machine, which people and other machines may set while one looks at it. */
export const systemClock = {
  now: (): number => Date.now(),

  /** Ends early, without an error, when the signal is given. */
  sleepUntil: (atMs: number, signal: AbortSignal): Promise<void> => sleepFor(atMs - Date.now(), signal),

  /** A clock that shows the same time now, and then only what really passes: limits are not reached by setting it. */
  steady() {
    const setMs = Date.now() - performance.now()
    const now = (): number => Math.round(setMs + performance.now())
    return { now, sleepUntil: (atMs: number, signal: AbortSignal) => sleepFor(atMs - now(), signal) }
  },
}

/** A span is slept as it was asked for, wherever the clock is set meanwhile. */
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
