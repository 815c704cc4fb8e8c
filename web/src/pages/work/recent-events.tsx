import { Link } from '@tanstack/react-router'
import { clockTime } from '../../parts/format.ts'
import { useTimeline } from '../../state/use-rows.ts'

const SHOWN_MAX = 12

export function RecentEvents() {
  const events = useTimeline().slice(-SHOWN_MAX).reverse()
  if (events.length === 0) return null
  return (
    <section aria-labelledby="recent" className="mt-6">
      <h2 id="recent" className="mb-2 text-sm font-semibold text-soft">
        Just now
      </h2>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {events.map((event, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may be alike in everything but their place
            key={`${event.at} ${event.id} ${event.what} ${at}`}
            className="flex gap-3 px-3 py-1 text-sm"
          >
            <time className="font-mono text-xs leading-5 text-soft">{clockTime(event.at)}</time>
            <Link to="/cases/$id" params={{ id: event.id }} className="font-mono text-accent underline">
              {event.id}
            </Link>
            <span className="font-medium">{event.what}</span>
            <span className="truncate text-soft">
              {event.by}: {event.reason}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
