import type { ThreadEntry } from '../../../../src/server/contract.ts'
import { Badge } from '../../parts/badge.tsx'
import { clockTime } from '../../parts/format.ts'
import { Section } from './section.tsx'

const REFUSED = /FAILED|REFUTED|CHANGES|BLOCKED/

export function ReviewThread({ entries }: { readonly entries: readonly ThreadEntry[] }) {
  if (entries.length === 0) return null
  return (
    <Section title="Review">
      <ol className="flex flex-col gap-3">
        {entries.map((entry) => (
          <li key={entry.id}>
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <Badge
                tone={REFUSED.test(entry.verdict) ? 'bad' : 'good'}
                sign={REFUSED.test(entry.verdict) ? '✕' : '✓'}
              >
                {entry.verdict.toLowerCase().replaceAll('_', ' ')}
              </Badge>
              <span className="font-mono">{entry.by}</span>
              <span className="text-soft">
                {entry.role === entry.by ? '' : `${entry.role}, `}
                {clockTime(entry.at)}
                {entry.commit ? `, on ${entry.commit.slice(0, 10)}` : ''}
              </span>
            </p>
            {entry.text ? (
              <p className="mt-1 whitespace-pre-wrap">{entry.text.replace(/\n{2,}/g, '\n')}</p>
            ) : null}
            <ul className="mt-1 list-disc pl-5">
              {entry.issues.map((issue) => (
                <li key={`${issue.file} ${issue.line} ${issue.text}`}>
                  {issue.file ? (
                    <code className="font-mono text-sm">
                      {issue.file}
                      {issue.line === null ? '' : `:${issue.line}`}
                    </code>
                  ) : null}{' '}
                  {issue.text} {issue.blocks ? null : <span className="text-soft">(does not block)</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  )
}
