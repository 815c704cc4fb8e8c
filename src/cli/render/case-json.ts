import type { HistoryEntry } from '../../cases/case.ts'
import type { CaseRecord } from '../../store/store.ts'

/** A case as scripts see it: every field is always there. */
export function caseJson(record: CaseRecord, history?: readonly HistoryEntry[]): Record<string, unknown> {
  const { dependsOn = [], tags = [], specRef = null, ...rest } = record
  return { ...rest, dependsOn, tags, specRef, ...(history ? { history } : {}) }
}
