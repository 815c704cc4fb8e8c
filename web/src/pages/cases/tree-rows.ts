import type { CaseId, CaseSummary } from '../../../../src/server/contract.ts'

export interface TreeRow {
  readonly row: CaseSummary
  readonly depth: number
}

/** The cases as one list, each indented below its parent; a case without its parent is at the top level. */
export function treeRows(cases: readonly CaseSummary[]): readonly TreeRow[] {
  const known = new Set(cases.map(({ id }) => id))
  const below = new Map<CaseId | null, CaseSummary[]>()
  for (const row of cases) {
    const parent = row.parentId !== null && known.has(row.parentId) ? row.parentId : null
    const list = below.get(parent)
    if (list) list.push(row)
    else below.set(parent, [row])
  }
  const rows: TreeRow[] = []
  const open: TreeRow[] = (below.get(null) ?? []).map((row) => ({ row, depth: 0 })).reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    rows.push(next)
    const { depth } = next
    const children = below.get(next.row.id) ?? []
    for (const row of children.toReversed()) open.push({ row, depth: depth + 1 })
  }
  return rows
}
