import { useState } from 'react'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plural } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useRows } from '../../state/use-rows.ts'
import { AlertList } from '../health/alert-list.tsx'
import { InboxItem } from './inbox-item.tsx'

/** Every decision that waits for a person, in one list; what holds most comes first. */
export function InboxPage() {
  const rows = useRows('inbox')
  const [kind, setKind] = useState('')
  const kinds = [...new Set(rows.map((row) => row.kind))]
  const shown = rows.filter((row) => kind === '' || row.kind === kind)
  return (
    <>
      <PageHead title="Inbox">
        <span className="text-sm text-soft">{plural(rows.length, 'decision')} waiting</span>
        <label className="text-sm text-soft">
          Show{' '}
          <select
            className="rounded-md border border-line bg-surface px-1.5 py-0.5 text-ink"
            value={kind}
            onChange={({ target }) => setKind(target.value)}
          >
            <option value="">everything</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </PageHead>
      <AlertList />
      {shown.length === 0 ? (
        <EmptyState title="Nothing waits for you" command="axiom watch">
          Questions, reviews and conflicts appear here the moment an agent needs you.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {shown.map((row) => (
            <InboxItem key={row.id} row={row} />
          ))}
        </ul>
      )}
    </>
  )
}
