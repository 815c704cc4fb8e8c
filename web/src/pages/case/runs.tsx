import type { Run } from '../../../../src/server/contract.ts'
import { clockTime, duration, money } from '../../parts/format.ts'
import { keyed } from '../../parts/keyed.ts'
import { Section } from './section.tsx'

export function Runs({ runs }: { readonly runs: readonly Run[] }) {
  if (runs.length === 0) return null
  return (
    <Section title="Runs">
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <thead className="text-soft">
            <tr>
              {['Agent', 'Ended', 'Took', 'Iterations', 'End', 'Tokens', 'Cost'].map((name) => (
                <th key={name} scope="col" className="py-1 pr-3 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keyed(runs, ({ agent, endedAt }) => `${agent} ${endedAt}`).map(({ key, item: run }) => (
              <tr key={key}>
                <td className="py-1 pr-3 font-mono">{run.agent}</td>
                <td className="py-1 pr-3">{clockTime(run.endedAt)}</td>
                <td className="py-1 pr-3">{duration(run.durationMs)}</td>
                <td className="py-1 pr-3">{run.iterations}</td>
                <td className="py-1 pr-3">{run.end}</td>
                <td className="py-1 pr-3">{run.tokens.toLocaleString()}</td>
                <td className="py-1 pr-3">{money(run.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
