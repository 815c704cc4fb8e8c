import type { HealthRow } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ago } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useProject, useRows } from '../../state/use-rows.ts'
import { AlertList } from './alert-list.tsx'

const LOOKS: Readonly<Record<HealthRow['state'], { tone: Tone; sign: string }>> = {
  ok: { tone: 'good', sign: '✓' },
  warn: { tone: 'warn', sign: '▲' },
  fail: { tone: 'bad', sign: '✕' },
}

export function HealthPage() {
  const rows = useRows('health')
  const project = useProject()
  return (
    <>
      <PageHead title="Health">
        {project ? <span className="text-sm text-soft">version {project.version}</span> : null}
      </PageHead>
      <AlertList />
      {rows.length === 0 ? (
        <EmptyState title="Nothing was measured yet" command="axiom doctor">
          While agents run, the machine is looked at every minute.
        </EmptyState>
      ) : (
        <div className="overflow-x-auto rounded-lg border border-line bg-surface">
          <table className="w-full text-left">
            <thead className="text-sm text-soft">
              <tr>
                {['What', 'State', 'Value', 'In words', 'Seen'].map((name) => (
                  <th key={name} scope="col" className="px-3 py-2 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rows.map(({ id, name, state, value, detail, at }) => (
                <tr key={id}>
                  <th scope="row" className="px-3 py-2 font-medium">
                    {name}
                  </th>
                  <td className="px-3 py-2">
                    <Badge {...LOOKS[state]}>{state}</Badge>
                  </td>
                  <td className="px-3 py-2 font-mono text-sm">{value}</td>
                  <td className="px-3 py-2 text-soft">{detail}</td>
                  <td className="px-3 py-2 text-sm text-soft">{ago(at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
