import { Link } from '@tanstack/react-router'
import { Badge } from '../../parts/badge.tsx'
import { dayAndTime, plural } from '../../parts/format.ts'
import { useRows } from '../../state/use-rows.ts'

const SHOWN_MAX = 50

/** The landed tasks, newest first. */
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
            <span className="ml-auto flex shrink-0 items-baseline gap-2">
              {rework > 0 ? (
                <span className="text-xs text-warn max-sm:hidden">sent back {rework}×</span>
              ) : null}
              {published === null ? null : (
                <Badge tone={published ? 'good' : 'warn'} sign={published ? '⇡' : '◷'}>
                  {published ? 'on your branch' : 'not on your branch yet'}
                </Badge>
              )}
            </span>
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
