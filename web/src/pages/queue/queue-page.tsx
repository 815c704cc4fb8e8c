import { Link } from '@tanstack/react-router'
import type { QueueRow } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ago, plural } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useProject, useRows } from '../../state/use-rows.ts'
import { Landed } from './landed.tsx'
import { Weather } from './weather.tsx'

const LOOKS: Readonly<Record<QueueRow['state'], { tone: Tone; sign: string }>> = {
  waiting: { tone: 'plain', sign: '◷' },
  checking: { tone: 'accent', sign: '●' },
  resolving: { tone: 'wait', sign: '⇄' },
  conflict: { tone: 'bad', sign: '✕' },
  landed: { tone: 'good', sign: '✓' },
  published: { tone: 'good', sign: '⇡' },
}

const NARROW = 'max-sm:hidden'
const COLUMNS: readonly (readonly [name: string, room: string])[] = [
  ['Change', ''],
  ['State', ''],
  ['Batch', NARROW],
  ['Files', NARROW],
  ['Sent back', NARROW],
  ['Why', ''],
  ['Since', NARROW],
]

/** The tasks that are about to land, their batches, and the landed ones. */
export function QueuePage() {
  const project = useProject()
  const open = useRows('queue')
    .filter(({ state }) => state !== 'landed' && state !== 'published')
    .toSorted((a, b) => a.position - b.position)
  return (
    <>
      <PageHead title="Queue">
        <span className="text-sm text-soft">
          {plural(open.length, 'change')} on the way to <code className="font-mono">{project?.target}</code>,{' '}
          {project?.tasks.done ?? 0} landed
        </span>
      </PageHead>
      {open.length === 0 ? (
        <EmptyState title="The queue is empty" command="axiom queue">
          Work that passed its critic and its auditor waits here until its checks are green on the target.
        </EmptyState>
      ) : (
        <div className="overflow-x-auto rounded-lg border border-line bg-surface">
          <table className="w-full text-left">
            <thead className="text-sm text-soft">
              <tr>
                {COLUMNS.map(([name, room]) => (
                  <th key={name} scope="col" className={`px-3 py-2 font-medium ${room}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {open.map((row) => (
                <tr
                  key={row.id}
                  data-selectable
                  data-subject={`case:${row.id}`}
                  tabIndex={-1}
                  className="focus:bg-raised focus:outline-none"
                >
                  <th scope="row" className="px-3 py-2 font-normal">
                    <Link
                      data-opens
                      to="/cases/$id"
                      params={{ id: row.id }}
                      className="font-mono whitespace-nowrap text-accent underline"
                    >
                      {row.id}
                    </Link>{' '}
                    {row.title}
                  </th>
                  <td className="px-3 py-2">
                    <Badge {...LOOKS[row.state]}>{row.state}</Badge>
                  </td>
                  <td className="px-3 py-2 text-sm max-sm:hidden">{row.batch ?? '–'}</td>
                  <td className="px-3 py-2 text-sm max-sm:hidden">{row.files}</td>
                  <td className="px-3 py-2 text-sm max-sm:hidden">{row.refused}</td>
                  <td className="px-3 py-2 text-sm text-soft">
                    {row.reason}
                    {row.resolver ? ` (${row.resolver})` : ''}
                    {row.commit ? <code className="ml-2 font-mono">{row.commit.slice(0, 10)}</code> : null}
                  </td>
                  <td className="px-3 py-2 text-sm whitespace-nowrap text-soft max-sm:hidden">
                    {ago(row.since)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Weather />
      <Landed />
    </>
  )
}
