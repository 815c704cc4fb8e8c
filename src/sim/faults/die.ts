import { Interrupted, type Stage } from '../stage.ts'
import type { StepOf } from '../step.ts'

const SPIN_SLICE_MS = 50

export async function playCrash(step: StepOf<'crash'>): Promise<void> {
  process.kill(process.pid, step.signal ?? 'SIGKILL')
  await new Promise(() => setInterval(() => {}, 1_000))
}

/** Exits without the closing event that the dialect requires. */
export function playExit(step: StepOf<'exit'>): void {
  process.exit(step.code)
}

/** Never returns by itself; an interruption ends it, as with a real agent. */
export async function playHang(step: StepOf<'hang'>, stage: Stage): Promise<void> {
  if (step.spins) {
    while (!stage.abort.aborted) {
      const until = Date.now() + SPIN_SLICE_MS
      while (Date.now() < until);
      await new Promise((resolve) => setImmediate(resolve))
    }
  } else {
    const alive = setInterval(() => {}, 60_000)
    await new Promise<void>((resolve) => {
      if (stage.abort.aborted) resolve()
      stage.abort.addEventListener('abort', () => resolve())
    })
    clearInterval(alive)
  }
  throw new Interrupted('aborted_streaming')
}

let ignoresSigterm = false

export function playIgnoreSigterm(): void {
  ignoresSigterm = true
}

export function isIgnoringSigterm(): boolean {
  return ignoresSigterm
}
