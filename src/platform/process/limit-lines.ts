import type { Turnstile } from '../turnstile.ts'
import type { RunInSandbox } from './run-line.ts'

/**
 * Limits how many lines run at once. The time limit of a line starts when it is let through, not while it
 * waits.
 */
export function limitLines(run: RunInSandbox, turnstile: Turnstile): RunInSandbox {
  return (request) => turnstile.pass(() => run(request))
}

/** One core is left for the agents and for AXIOM itself. */
export function linesAtOnce(cores: number): number {
  return Math.max(1, cores - 1)
}
