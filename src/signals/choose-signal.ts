import type { Signal } from './finding.ts'
import { definitionOf } from './registry.ts'

/**
 * The one verdict that an iteration's signals amount to: by the registry's priority, then the last one said. What
 * passed and failed in one breath has failed, whichever was said last.
 */
export function chooseSignal(signals: readonly Signal[]): Signal | null {
  const refuted = new Set(signals.flatMap(({ name }) => definitionOf(name)?.refutes ?? []))
  let chosen: Signal | null = null
  for (const signal of signals) {
    const priority = refuted.has(signal.name) ? null : priorityOf(signal)
    if (priority !== null && (chosen === null || priority <= (priorityOf(chosen) ?? priority)))
      chosen = signal
  }
  return chosen
}

function priorityOf(signal: Signal): number | null {
  return definitionOf(signal.name)?.priority ?? null
}
