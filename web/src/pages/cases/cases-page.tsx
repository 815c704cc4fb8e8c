import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CaseSummary } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plural } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useRows } from '../../state/use-rows.ts'
import { Board } from './board.tsx'
import { CaseList } from './case-list.tsx'
import type { CasesSearch } from './cases-search.ts'
import { Filters } from './filters.tsx'
import { treeRows } from './tree-rows.ts'

const route = getRouteApi('/cases')

export function CasesPage() {
  const search = route.useSearch()
  const rows = useRows('cases')
  const shown = useMemo(() => rows.filter((row) => matches(row, search)), [rows, search])
  const view = search.view ?? 'tree'
  const isFiltered = [search.text, search.type, search.status, search.tag].some(
    (value) => value !== undefined,
  )
  return (
    <>
      <PageHead title="Cases">
        <span className="text-sm text-soft" role="status">
          {isFiltered ? `${shown.length} of ${plural(rows.length, 'case')}` : plural(rows.length, 'case')}
        </span>
      </PageHead>
      <Filters rows={rows} />
      {rows.length === 0 ? (
        <EmptyState title="There are no cases yet" command="axiom plan --from plan.json --yes">
          A need becomes a tree of cases: directive, operations, tasks.
        </EmptyState>
      ) : view === 'board' ? (
        <Board rows={shown} />
      ) : (
        <CaseList rows={view === 'tree' && !isFiltered ? treeRows(shown) : flat(shown)} />
      )}
    </>
  )
}

function flat(rows: readonly CaseSummary[]) {
  return rows.map((row) => ({ row, depth: 0 }))
}

function matches(row: CaseSummary, { text, type, status, tag }: CasesSearch): boolean {
  if (type !== undefined && row.type !== type) return false
  if (status !== undefined && row.status !== status) return false
  if (tag !== undefined && !row.tags.includes(tag)) return false
  return text === undefined || `${row.id} ${row.title}`.toLowerCase().includes(text.toLowerCase())
}
