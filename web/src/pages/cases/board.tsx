import { Link } from '@tanstack/react-router'
import type { CaseSummary } from '../../../../src/server/contract.ts'
import { StatusBadge } from '../../parts/case-mark.tsx'

const COLUMNS: readonly (readonly [column: string, name: string])[] = [
  ['waiting', 'Waiting'],
  ['ready', 'Ready'],
  ['working', 'In work'],
  ['review', 'In review'],
  ['person', 'Needs you'],
  ['landing', 'Landing'],
  ['done', 'Done'],
  ['held', 'Held'],
  ['stopped', 'Stopped'],
]
const CARDS_MAX = 60

/** Tasks by column; an empty column takes no space. */
export function Board({ rows }: { readonly rows: readonly CaseSummary[] }) {
  const tasks = rows.filter(({ type }) => type === 'task')
  return (
    <div className="flex gap-3 overflow-x-auto pb-4">
      {COLUMNS.map(([column, name]) => {
        const here = tasks.filter((task) => task.column === column)
        if (here.length === 0) return null
        return (
          <section key={column} aria-label={name} className="max-w-72 min-w-44 flex-1">
            <h2 className="mb-2 text-sm font-semibold text-soft">
              {name} <span className="font-normal">{here.length}</span>
            </h2>
            <ul className="flex flex-col gap-2">
              {here.slice(0, CARDS_MAX).map((task) => (
                <li key={task.id}>
                  <Link
                    to="/cases/$id"
                    params={{ id: task.id }}
                    data-selectable
                    data-subject={`case:${task.id}`}
                    className="block rounded-md border border-line bg-surface p-2 hover:border-accent"
                  >
                    <span className="flex items-center gap-2">
                      <span className="font-mono text-xs text-soft">{task.id}</span>
                      <span className="ml-auto">
                        <StatusBadge status={task.status} detail={task.delivery} />
                      </span>
                    </span>
                    <span className="mt-1 line-clamp-3">{task.title}</span>
                  </Link>
                </li>
              ))}
            </ul>
            {here.length > CARDS_MAX ? (
              <p className="mt-2 text-xs text-soft">
                {here.length - CARDS_MAX} more: narrow the search to see them
              </p>
            ) : null}
          </section>
        )
      })}
    </div>
  )
}
