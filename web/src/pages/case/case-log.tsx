import { useState } from 'react'
import type { CaseDetail } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LogView } from './log-view.tsx'

export function CaseLog({ detail }: { readonly detail: CaseDetail }) {
  const { logs } = detail
  const [chosen, setChosen] = useState(0)
  const log = logs[chosen]
  if (!log) {
    return (
      <EmptyState title="No agent has written a log yet" command={`axiom logs ${detail.summary.id}`}>
        It appears here as soon as one is at work.
      </EmptyState>
    )
  }
  return (
    <>
      {logs.length > 1 ? (
        <label className="mb-2 block text-sm text-soft">
          Log{' '}
          <select
            className="rounded-md border border-line bg-surface px-2 py-1 text-ink"
            value={chosen}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {logs.map(({ agents, file }, at) => (
              <option key={`${agents}/${file}`} value={at}>
                {agents}/{file}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <LogView key={`${log.agents}/${log.file}`} agents={log.agents} file={log.file} />
    </>
  )
}
