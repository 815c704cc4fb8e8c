import type { Case, HistoryEntry } from '../../cases/case.ts'
import type { CaseIndex } from '../../cases/case-index.ts'
import { caseFault } from './case-form.ts'
import { readLine } from './journal-line.ts'
import { sealHolds } from './line-seal.ts'

export interface ImportedCase {
  readonly subject: Case
  readonly history: readonly HistoryEntry[]
}

/** Reads an export line by line. Every fault is reported with its line, so that all can be fixed at once. */
export function parseImport(text: string): { cases: ImportedCase[]; faults: string[] } {
  const cases: ImportedCase[] = []
  const faults: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = readImportLine(line)
    if (typeof parsed === 'string') faults.push(`line ${index + 1}: ${parsed}`)
    else cases.push(parsed)
  }
  return { cases, faults }
}

function readImportLine(line: string): ImportedCase | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'not JSON'
  }
  if (line.includes('"sum":"') && !sealHolds(Buffer.from(line))) return 'its checksum does not hold'
  const parsed = readLine(value)
  if (parsed?.kind !== 'case') return 'not a case'
  return caseFault(parsed.subject) ?? { subject: parsed.subject, history: parsed.history }
}

/**
 * Separates new cases from those that contradict the store. Cases that are in the store already are skipped.
 */
export function checkImport(
  index: CaseIndex,
  cases: readonly ImportedCase[],
): { fresh: ImportedCase[]; faults: string[] } {
  const faults: string[] = []
  const ids = new Set(cases.map(({ subject }) => subject.id))
  const seen = new Set<string>()
  const fresh = cases.filter(({ subject }) => {
    const known = index.get(subject.id)
    if (seen.has(subject.id)) faults.push(`${subject.id} is there twice`)
    seen.add(subject.id)
    if (known && known.uid !== subject.uid) faults.push(`${subject.id} is another case here`)
    else if (known && known.rev !== subject.rev) faults.push(`${subject.id} is here at revision ${known.rev}`)
    for (const id of [subject.parentId ?? subject.id, ...(subject.dependsOn ?? [])]) {
      if (!ids.has(id) && !index.get(id)) faults.push(`${subject.id} refers to ${id}, which is nowhere`)
    }
    return !known
  })
  return { fresh, faults: [...faults, ...lineageFaults(cases)] }
}

/** A case that is its own ancestor would make every walk up the lineage endless. */
function lineageFaults(cases: readonly ImportedCase[]): string[] {
  const parents = new Map(cases.map(({ subject }) => [subject.id, subject.parentId]))
  return [...parents.keys()]
    .filter((id) => {
      const seen = new Set<string>()
      for (let at = parents.get(id); at !== null && at !== undefined && !seen.has(at); at = parents.get(at)) {
        if (at === id) return true
        seen.add(at)
      }
      return false
    })
    .map((id) => `${id} is its own ancestor`)
}
