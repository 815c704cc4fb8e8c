import type { CaseDetail } from '../../../../src/server/contract.ts'
import { dayAndTime } from '../../parts/format.ts'

export function CaseHistory({ detail }: { readonly detail: CaseDetail }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      {detail.history.toReversed().map((entry, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be alike in everything but their place
          key={`${entry.timestamp} ${entry.type} ${at}`}
          className="grid gap-x-3 px-3 py-1.5 text-sm sm:grid-cols-[8.5rem_6.5rem_10rem_1fr]"
        >
          <time dateTime={entry.timestamp} className="font-mono text-xs leading-5 text-soft">
            {dayAndTime(entry.timestamp)}
          </time>
          <span className="font-mono">{entry.actor}</span>
          <span className="font-medium">
            {entry.from?.status && entry.to?.status
              ? `${entry.from.status} → ${entry.to.status}`
              : entry.type}
          </span>
          <span className="min-w-0 break-words text-soft">{entry.reason}</span>
        </li>
      ))}
    </ol>
  )
}
