import { renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RunScene } from './scene.ts'

const PRELOADED = resolve(import.meta.dirname, 'shift-clock.mjs')

/** The clock of the program under test, which the test sets as it likes. */
export class ShiftedClock {
  readonly #file: string
  #shiftMs = 0
  readonly environment: NodeJS.ProcessEnv

  constructor({ top, environment }: RunScene) {
    this.#file = join(top, 'clock')
    this.set(0)
    this.environment = {
      ...environment,
      NODE_OPTIONS: `--import=${PRELOADED}`,
      AXIOM_TEST_CLOCK: this.#file,
    }
  }

  /** So far from the machine's time. */
  set(shiftMs: number): void {
    this.#shiftMs = shiftMs
    writeFileSync(`${this.#file}.new`, String(shiftMs))
    renameSync(`${this.#file}.new`, this.#file)
  }

  pass(ms: number): void {
    this.set(this.#shiftMs + ms)
  }

  now(): number {
    return Date.now() + this.#shiftMs
  }
}
