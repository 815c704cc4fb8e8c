import { getRouteApi } from '@tanstack/react-router'
import type { CaseDetail } from '../../../../src/server/contract.ts'
import { ChoiceBox } from '../../parts/choice-box.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LogView } from './log-view.tsx'

const route = getRouteApi('/cases/$id')

export function CaseLog({ detail }: { readonly detail: CaseDetail }) {
  const { logs } = detail
  const { log: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const names = logs.map(({ agents, file }) => `${agents}/${file}`)
  const log = logs[Math.max(0, names.indexOf(wanted ?? ''))]
  if (!log) {
    return (
      <EmptyState title="No agent has written a log yet" command={`axiom logs ${detail.summary.id}`}>
        It appears here as soon as one is at work.
      </EmptyState>
    )
  }
  return (
    <LogView key={`${log.agents}/${log.file}`} agents={log.agents} file={log.file}>
      {logs.length > 1 ? (
        <ChoiceBox
          label="File"
          value={`${log.agents}/${log.file}`}
          all={names}
          set={(name) => void navigate({ search: { tab: 'log', log: name } })}
        />
      ) : null}
    </LogView>
  )
}
