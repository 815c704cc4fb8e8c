import type { Signal } from './finding.ts'
import { definitionOf } from './registry.ts'

/** The one verdict that an iteration's signals amount to: by the registry's priority, then the last one said. */
export function chooseSignal(signals: readonly Signal[]): Signal | null {
  let chosen: Signal | null = null
  for (const signal of signals) {
    const priority = priorityOf(signal)
    if (priority !== null && (chosen === null || priority <= (priorityOf(chosen) ?? priority)))
      chosen = signal
  }
  return chosen
}

function priorityOf(signal: Signal): number | null {
  return definitionOf(signal.name)?.priority ?? null
}
