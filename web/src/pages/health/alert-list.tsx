import { Link } from '@tanstack/react-router'
import type { AlertRow } from '../../../../src/server/contract.ts'
import { ago } from '../../parts/format.ts'
import { useRows } from '../../state/use-rows.ts'

const LOOKS: Readonly<Record<AlertRow['severity'], { text: string; sign: string }>> = {
  low: { text: 'text-soft', sign: '·' },
  medium: { text: 'text-warn', sign: '▲' },
  high: { text: 'text-bad', sign: '▲' },
  critical: { text: 'text-bad', sign: '■' },
}

export function AlertList() {
  const alerts = useRows('alerts')
  if (alerts.length === 0) return null
  return (
    <ul aria-label="Alerts" className="mb-4 flex flex-col gap-1">
      {alerts.map(({ id, severity, code, message, hint, at, case: about }) => (
        <li key={id} className="rounded-md border border-line bg-surface px-3 py-2">
          <span className={`font-medium ${LOOKS[severity].text}`}>
            <span aria-hidden="true">{LOOKS[severity].sign} </span>
            {severity}
          </span>{' '}
          <span className="font-mono text-xs text-soft">{code}</span> {message}{' '}
          {about ? (
            <Link to="/cases/$id" params={{ id: about }} className="font-mono text-accent underline">
              {about}
            </Link>
          ) : null}
          <span className="block text-sm text-soft">
            {hint} ({ago(at)})
          </span>
        </li>
      ))}
    </ul>
  )
}
