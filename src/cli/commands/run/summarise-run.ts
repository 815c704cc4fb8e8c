import type { CaseRecord } from '../../../store/store.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'

export interface RunSummary {
  readonly type: 'summary'
  readonly done: number
  readonly failed: number
  readonly blocked: number
  /** Neither done nor failed nor blocked: not started, or waiting for a person's review. */
  readonly waiting: number
}

/** Counts the tasks of this run by status: all, or those with one of the tags. */
export function summariseRun(records: readonly CaseRecord[], tags: readonly string[]): RunSummary {
  const tasks = records.filter(
    (record) =>
      record.type === 'task' && (tags.length === 0 || tags.some((tag) => record.tags?.includes(tag))),
  )
  const count = (...statuses: readonly CaseRecord['status'][]): number =>
    tasks.filter(({ status }) => statuses.includes(status)).length
  return {
    type: 'summary',
    done: count('done'),
    failed: count('failed', 'timeout'),
    blocked: count('blocked'),
    waiting: count('pending', 'active', 'review'),
  }
}

/** A sprint that reached its goal left the remaining tasks on purpose, so they are no failure. */
export function exitCodeOf({ done, failed, blocked, waiting }: RunSummary, goalReached: boolean): ExitCode {
  if (failed > 0) return done > 0 ? EXIT.partly : EXIT.failed
  if (blocked > 0) return EXIT.personNeeded
  return waiting > 0 && !goalReached ? EXIT.personNeeded : EXIT.ok
}
