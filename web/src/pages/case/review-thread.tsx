import type { ThreadEntry } from '../../../../src/server/contract.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { dayAndTime } from '../../parts/format.ts'
import { keyed } from '../../parts/keyed.ts'
import { Section } from './section.tsx'

interface Look {
  readonly tone: Tone
  readonly sign: string
  readonly words?: string
}

/** Labels of the most common verdicts; others are shown by their own name. */
const LOOKS: Readonly<Record<string, Look>> = {
  CLAIMED: { tone: 'plain', sign: '▸', words: 'taken up' },
  COMPLETE: { tone: 'accent', sign: '⇥', words: 'handed in' },
  READY_FOR_REVIEW: { tone: 'accent', sign: '⇥', words: 'handed in' },
  APPROVED: { tone: 'good', sign: '✓', words: 'approved' },
  CONFIRMED: { tone: 'good', sign: '✓', words: 'audit confirmed' },
  LANDED: { tone: 'good', sign: '⇓', words: 'landed' },
  ANSWERED: { tone: 'plain', sign: '?', words: 'question answered' },
  advice: { tone: 'wait', sign: '✎', words: 'advice' },
  finding: { tone: 'warn', sign: '✎', words: 'finding' },
}
const BACK: readonly (string | null)[] = ['developing', 'queued', 'failed', 'timed-out', 'repair-escalated']
const REVIEWS: readonly (string | null)[] = [
  'critique',
  'audit',
  'confirming',
  'person-review',
  'integrating',
]

/** The states before and after show whether the verdict was good news. */
function lookOf({ verdict, from, to }: ThreadEntry): Look {
  const known = LOOKS[verdict]
  if (known) return known
  if (REVIEWS.includes(from) && BACK.includes(to)) return { tone: 'bad', sign: '↺' }
  if (REVIEWS.includes(from)) return { tone: 'good', sign: '✓' }
  return { tone: /FAIL|BLOCK|LOST|TIMED/.test(verdict) ? 'bad' : 'plain', sign: '·' }
}

export function ReviewThread({ entries }: { readonly entries: readonly ThreadEntry[] }) {
  if (entries.length === 0) return null
  return (
    <Section title="Review">
      <ol className="flex flex-col gap-2.5">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </Section>
  )
}

function Entry({ entry }: { readonly entry: ThreadEntry }) {
  const { tone, sign, words } = lookOf(entry)
  const { at, by, role, commit, from, to } = entry
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
        <Badge tone={tone} sign={sign}>
          {words ?? entry.verdict.toLowerCase().replaceAll('_', ' ')}
        </Badge>
        <span className="font-mono">{by}</span>
        <span className="text-soft">
          {[
            role === by || role === '' ? '' : role,
            commit ? `on ${commit.slice(0, 10)}` : '',
            BACK.includes(to) && REVIEWS.includes(from) ? `back to ${to}` : '',
          ]
            .filter((part) => part !== '')
            .join(', ')}
        </span>
        {at ? (
          <time dateTime={at} className="ml-auto font-mono text-xs text-soft">
            {dayAndTime(at)}
          </time>
        ) : null}
      </div>
      {entry.text ? (
        <p className="mt-1 break-words whitespace-pre-wrap">{entry.text.replace(/\n{2,}/g, '\n')}</p>
      ) : null}
      {entry.issues.length > 0 ? (
        <ul className="mt-1 list-disc pl-5">
          {keyed(entry.issues, ({ file, line, text }) => `${file} ${line} ${text}`).map(
            ({ key, item: issue }) => (
              <li key={key} className="break-words">
                {issue.file ? (
                  <code className="font-mono text-sm break-all">
                    {issue.file}
                    {issue.line === null ? '' : `:${issue.line}`}
                  </code>
                ) : null}{' '}
                {issue.text} {issue.blocks ? null : <span className="text-soft">(does not block)</span>}
              </li>
            ),
          )}
        </ul>
      ) : null}
    </li>
  )
}
