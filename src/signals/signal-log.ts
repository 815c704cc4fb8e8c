import type { Problem } from './finding.ts'

export interface Sender {
  /** ISO 8601. */
  readonly ts: string
  readonly agent: string
  readonly task: string
}

/** A problem as one line of `logs/signals.jsonl`, without the line feed. */
export function formatProblemLog(problem: Problem, { ts, agent, task }: Sender): string {
  const { code, raw, type, message, line } = problem
  const known = type === null ? {} : { type }
  return JSON.stringify({ ts, level: 'warn', code, agent, task, raw, ...known, message, line })
}
