import type { Run } from '../../../../src/server/contract.ts'
import { clockTime, money } from '../../parts/format.ts'
import { Section } from './section.tsx'

export function Runs({ runs }: { readonly runs: readonly Run[] }) {
  if (runs.length === 0) return null
  return (
    <Section title="Runs">
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <thead className="text-soft">
            <tr>
              {['#', 'Agent', 'Role', 'Began', 'Iterations', 'End', 'Cost', 'Commit'].map((name) => (
                <th key={name} scope="col" className="py-1 pr-3 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={`${run.number} ${run.agent}`}>
                <td className="py-1 pr-3">{run.number}</td>
                <td className="py-1 pr-3 font-mono">{run.agent}</td>
                <td className="py-1 pr-3">{run.role}</td>
                <td className="py-1 pr-3">{run.startedAt ? clockTime(run.startedAt) : '–'}</td>
                <td className="py-1 pr-3">{run.iterations}</td>
                <td className="py-1 pr-3">{run.end ?? 'at work'}</td>
                <td className="py-1 pr-3">{money(run.spend.costUsd)}</td>
                <td className="py-1 pr-3 font-mono">{run.commit?.slice(0, 10) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
