import type { RecordKeys } from '../vocabulary/vocabulary.ts'
import type { RunEnd } from './run-end.ts'

/** One finished run: a line of `metrics/history.jsonl`, from which all figures are made. */
export interface RunRecord {
  readonly at: string
  readonly session: string
  readonly agent: string
  readonly persona: string
  readonly task: string
  readonly end: RunEnd['kind']
  readonly iterations: number
  readonly durationMs: number
  readonly tokens: { readonly input: number; readonly output: number }
  readonly costUsd: number
}

/** Sums over any number of runs. */
export interface Figures {
  readonly completed: number
  readonly failed: number
  readonly iterations: number
  readonly iterationsMax: number
  readonly durationMs: number
  readonly tokens: { readonly input: number; readonly output: number }
  readonly costUsd: number
  readonly updated: string
}

export const NO_FIGURES: Figures = {
  completed: 0,
  failed: 0,
  iterations: 0,
  iterationsMax: 0,
  durationMs: 0,
  tokens: { input: 0, output: 0 },
  costUsd: 0,
  updated: '',
}

const FAILED: ReadonlySet<RunEnd['kind']> = new Set(['failed', 'timeout'])

export function addRun(sum: Figures, run: RunRecord): Figures {
  return {
    completed: sum.completed + (run.end === 'complete' ? 1 : 0),
    failed: sum.failed + (FAILED.has(run.end) ? 1 : 0),
    iterations: sum.iterations + run.iterations,
    iterationsMax: Math.max(sum.iterationsMax, run.iterations),
    durationMs: sum.durationMs + run.durationMs,
    tokens: { input: sum.tokens.input + run.tokens.input, output: sum.tokens.output + run.tokens.output },
    costUsd: sum.costUsd + run.costUsd,
    updated: run.at,
  }
}

/** The figures in the form of `metrics.json`: per finished task, over any number of runs. */
export function metricsOf(
  subject: Readonly<Record<string, string>>,
  figures: Figures,
  keys: RecordKeys,
): object {
  const { completed, failed, iterations, iterationsMax, durationMs, tokens, costUsd, updated } = figures
  const judged = completed + failed
  return {
    ...subject,
    updated: updated.replace(/\.\d+Z$/, 'Z'),
    [keys.work]: { completed, failed, successRate: ratio(completed, judged) },
    iterations: {
      total: iterations,
      [keys.averagePerWork]: ratio(iterations, judged),
      [keys.maximumPerWork]: iterationsMax,
    },
    timing: {
      avgDurationMs: completed === 0 ? 0 : Math.round(durationMs / completed),
      totalRuntimeMs: durationMs,
    },
    tokens: { ...tokens, estimatedCost: round(costUsd) },
  }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : round(part / whole)
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
