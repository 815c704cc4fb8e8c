import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CaseDetail } from '../../../../src/server/contract.ts'
import { CaseMark, StatusBadge } from '../../parts/case-mark.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useRow, useWiring } from '../../state/use-rows.ts'
import { CaseActions } from './case-actions.tsx'
import { CaseDiff } from './case-diff.tsx'
import { CaseHistory } from './case-history.tsx'
import { CaseLog } from './case-log.tsx'
import { CaseOverview } from './case-overview.tsx'
import { TABS } from './case-search.ts'

const route = getRouteApi('/cases/$id')
const NAMES = { overview: 'Overview', diff: 'Diff', log: 'Log', history: 'History' } as const

export function CasePage() {
  const { id } = route.useParams()
  const { tab = 'overview' } = route.useSearch()
  const { client } = useWiring()
  const row = useRow('cases', id)
  // The revision is part of the key: the page is reloaded when the case changes, and shows the old data until
  // then.
  const { data: detail, error } = useQuery({
    queryKey: ['case', id, row?.rev],
    queryFn: ({ signal }) => client.get<CaseDetail>(`/api/cases/${id}`, signal),
    placeholderData: (before) => (before?.summary.id === id ? before : undefined),
  })
  if (error && !detail) {
    return (
      <EmptyState title={`${id} cannot be shown`} command="axiom case list">
        {error.message}
      </EmptyState>
    )
  }
  if (!detail) return <p className="text-soft">Reading {id}…</p>
  const { summary } = detail
  return (
    <div data-page-subject={`case:${id}`}>
      <nav aria-label="Lineage" className="mb-1 flex flex-wrap gap-1 text-sm text-soft">
        {detail.lineage.map((parent) => (
          <span key={parent.id}>
            <CaseMark type={parent.type} />{' '}
            <Link to="/cases/$id" params={{ id: parent.id }} className="font-mono text-accent underline">
              {parent.id}
            </Link>{' '}
            <span aria-hidden="true">›</span>
          </span>
        ))}
      </nav>
      <p className="flex items-center gap-2 text-soft">
        <CaseMark type={summary.type} />
        <span className="font-mono">{summary.id}</span>
        <StatusBadge status={summary.status} detail={summary.delivery} />
      </p>
      <h1 className="mt-0.5 text-xl font-semibold text-balance break-words">{summary.title}</h1>
      {detail.waits && summary.status !== 'done' ? (
        <p className="mt-1 text-warn">Waits: {detail.waits}</p>
      ) : null}
      <CaseActions id={id} />
      <div
        role="tablist"
        aria-label="Parts of the case"
        className="mt-4 mb-4 flex gap-1 border-b border-line"
      >
        {TABS.map((name) => (
          <Link
            key={name}
            to="/cases/$id"
            params={{ id }}
            search={name === 'overview' ? {} : { tab: name }}
            role="tab"
            aria-selected={tab === name}
            className={`-mb-px border-b-2 px-3 py-1.5 font-medium ${tab === name ? 'border-accent text-ink' : 'border-transparent text-soft'}`}
          >
            {NAMES[name]}
          </Link>
        ))}
      </div>
      {tab === 'overview' ? <CaseOverview detail={detail} /> : null}
      {tab === 'diff' ? <CaseDiff detail={detail} /> : null}
      {tab === 'log' ? <CaseLog detail={detail} /> : null}
      {tab === 'history' ? <CaseHistory detail={detail} /> : null}
    </div>
  )
}
