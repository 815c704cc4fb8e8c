import { getRouteApi } from '@tanstack/react-router'
import { ChoiceBox } from '../../parts/choice-box.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plural } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useRows } from '../../state/use-rows.ts'
import { AlertItem } from '../health/alert-list.tsx'
import { InboxItem } from './inbox-item.tsx'

const route = getRouteApi('/inbox')

/** All open decisions and alerts, in one list. */
export function InboxPage() {
  const { kind = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const decisions = useRows('inbox')
  const alerts = useRows('alerts')
  const kinds = [...new Set([...decisions.map((row) => row.kind), ...(alerts.length > 0 ? ['alert'] : [])])]
  const shown = decisions.filter((row) => kind === '' || row.kind === kind)
  const told = kind === '' || kind === 'alert' ? alerts : []
  const urgent = [
    ...told.filter(({ severity }) => severity === 'critical'),
    ...told.filter(({ severity }) => severity === 'high'),
  ]
  return (
    <>
      <PageHead title="Inbox">
        <span className="text-sm text-soft" role="status">
          {plural(decisions.length, 'decision')} waiting, {plural(alerts.length, 'alert')}
        </span>
        <ChoiceBox
          label="Show"
          value={kind}
          all={['', ...new Set([...kinds, ...(kind === '' ? [] : [kind])])]}
          set={(next) => void navigate({ search: next === '' ? {} : { kind: next } })}
        />
      </PageHead>
      {shown.length + told.length === 0 ? (
        <EmptyState title="Nothing waits for you" command="axiom watch">
          {kind === ''
            ? 'Questions, reviews and alerts appear here the moment somebody needs you.'
            : `There is nothing of the kind “${kind}” at the moment.`}
        </EmptyState>
      ) : (
        <ul aria-label="Decisions and alerts" className="flex flex-col gap-2">
          {urgent.map((alert) => (
            <AlertItem key={alert.id} alert={alert} />
          ))}
          {shown.map((row) => (
            <InboxItem key={row.id} row={row} />
          ))}
          {told
            .filter((alert) => !urgent.includes(alert))
            .map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
        </ul>
      )}
    </>
  )
}
