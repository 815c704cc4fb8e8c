import { Link } from '@tanstack/react-router'
import type { AlertRow } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { ago } from '../../parts/format.ts'
import { useRows } from '../../state/use-rows.ts'

const LOOKS: Readonly<Record<AlertRow['severity'], { tone: Tone; sign: string }>> = {
  low: { tone: 'plain', sign: '·' },
  medium: { tone: 'warn', sign: '▲' },
  high: { tone: 'bad', sign: '▲' },
  critical: { tone: 'bad', sign: '■' },
}

export function AlertList() {
  const alerts = useRows('alerts')
  if (alerts.length === 0) return null
  return (
    <ul aria-label="Alerts" className="mb-4 flex flex-col gap-2">
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert} />
      ))}
    </ul>
  )
}

/** An alert that is not the state of a case. */
export function AlertItem({ alert }: { readonly alert: AlertRow }) {
  const { severity, code, message, hint, at, case: about, agent } = alert
  return (
    <li
      data-selectable
      tabIndex={-1}
      {...(about ? { 'data-subject': `case:${about}` } : agent ? { 'data-subject': `agent:${agent}` } : {})}
      className="rounded-lg border border-line bg-surface px-4 py-2.5 focus:border-accent focus:outline-none"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Badge {...LOOKS[severity]}>{severity} alert</Badge>
        <span className="font-mono text-xs">{code}</span>
        {about ? (
          <Link data-opens to="/cases/$id" params={{ id: about }} className="font-mono text-accent underline">
            {about}
          </Link>
        ) : null}
        {agent ? (
          <Link to="/" search={{ agent }} className="font-mono text-accent underline">
            {agent}
          </Link>
        ) : null}
        <span>{ago(at)}</span>
      </div>
      <p className="mt-1 font-medium break-words whitespace-pre-wrap">{message}</p>
      {hint ? <p className="text-sm text-soft">{hint}</p> : null}
    </li>
  )
}
