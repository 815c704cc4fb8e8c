import { Link } from '@tanstack/react-router'
import { dayAndTime, plural } from '../../parts/format.ts'
import { useRows } from '../../state/use-rows.ts'

const SHOWN_MAX = 50

/** What has arrived, newest first. */
export function Landed() {
  const rows = useRows('cases')
    .filter(({ type, status }) => type === 'task' && status === 'done')
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="landed" className="mt-6">
      <h2 id="landed" className="mb-2 text-sm font-semibold text-soft">
        Landed
      </h2>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rows.slice(0, SHOWN_MAX).map(({ id, title, updatedAt, rework, published }) => (
          <li key={id} className="flex items-baseline gap-3 px-3 py-1.5">
            <time dateTime={updatedAt} className="shrink-0 font-mono text-xs text-soft">
              {dayAndTime(updatedAt)}
            </time>
            <Link
              to="/cases/$id"
              params={{ id }}
              search={{ tab: 'diff' }}
              data-selectable
              data-subject={`case:${id}`}
              className="shrink-0 font-mono text-accent underline"
            >
              {id}
            </Link>
            <span className="truncate">{title}</span>
            {published === false ? (
              <span className="shrink-0 text-xs text-warn">not on your branch yet</span>
            ) : null}
            {rework > 0 ? (
              <span className="ml-auto shrink-0 text-xs text-warn">sent back {rework}×</span>
            ) : null}
          </li>
        ))}
      </ol>
      {rows.length > SHOWN_MAX ? (
        <p className="mt-2 text-xs text-soft">
          {plural(rows.length - SHOWN_MAX, 'earlier one', 'earlier ones')}
        </p>
      ) : null}
    </section>
  )
}
