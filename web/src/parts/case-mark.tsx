import type { CaseType, Status } from '../../../src/server/contract.ts'
import { useWords } from '../state/use-rows.ts'
import { Badge, type Tone } from './badge.tsx'

/** The symbol of a case type, with its name for screen readers. */
export function CaseMark({ type }: { readonly type: CaseType }) {
  const words = useWords()?.cases[type]
  return (
    <span title={words?.name ?? type} className="inline-block w-4 shrink-0 text-center">
      <span aria-hidden="true" style={{ color: `var(--hue-${words?.colour}, currentcolor)` }}>
        {words?.symbol ?? '•'}
      </span>
      <span className="sr-only">{words?.name ?? type}</span>
    </span>
  )
}

const LOOKS: Readonly<Record<Status, { tone: Tone; sign: string }>> = {
  pending: { tone: 'plain', sign: '○' },
  active: { tone: 'accent', sign: '●' },
  blocked: { tone: 'bad', sign: '■' },
  done: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '✕' },
  timeout: { tone: 'bad', sign: '◷' },
  review: { tone: 'wait', sign: '◑' },
  outdated: { tone: 'warn', sign: '↺' },
  archived: { tone: 'plain', sign: '▤' },
}

export function StatusBadge({
  status,
  detail,
}: {
  readonly status: Status
  readonly detail?: string | null
}) {
  const { tone, sign } = LOOKS[status]
  return (
    <Badge tone={tone} sign={sign}>
      {detail && detail !== status && status === 'review' ? `${status}: ${detail}` : status}
    </Badge>
  )
}
