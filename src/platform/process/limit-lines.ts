import type { Turnstile } from '../turnstile.ts'
import type { RunInSandbox } from './run-line.ts'

/** Lines that run at once share the machine: all of them pass one turnstile. Their time limits begin behind it. */
export function limitLines(run: RunInSandbox, turnstile: Turnstile): RunInSandbox {
  return (request) => turnstile.pass(() => run(request))
}

/** One core is left for the agents and for AXIOM itself. */
export function linesAtOnce(cores: number): number {
  return Math.max(1, cores - 1)
}
