import { Link } from '@tanstack/react-router'
import type { InboxRow } from '../../../../src/server/contract.ts'
import type { SubjectOf } from '../../actions/action.ts'
import { ActionButton } from '../../actions/action-buttons.tsx'
import { actionNamed, actionsFor } from '../../actions/action-table.ts'
import { useCaseSubject } from '../../actions/use-case-subject.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { ago, clockTime, plural } from '../../parts/format.ts'
import { keyed } from '../../parts/keyed.ts'

const LOOKS: Readonly<Record<InboxRow['kind'], { tone: Tone; sign: string }>> = {
  question: { tone: 'wait', sign: '?' },
  review: { tone: 'accent', sign: '✓' },
  escalation: { tone: 'bad', sign: '!' },
  repair: { tone: 'bad', sign: '⚒' },
  conflict: { tone: 'warn', sign: '⇄' },
  publish: { tone: 'warn', sign: '⇡' },
}

/** One decision: the question, its context, the default at the deadline, and the buttons that settle it. */
export function InboxItem({ row }: { readonly row: InboxRow }) {
  const subject = useCaseSubject(row.id)
  return (
    <li
      data-selectable
      data-subject={`case:${row.id}`}
      tabIndex={-1}
      className="rounded-lg border border-line bg-surface px-4 py-3 focus:border-accent focus:outline-none"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Badge {...LOOKS[row.kind]}>{row.kind}</Badge>
        <Link data-opens to="/cases/$id" params={{ id: row.id }} className="font-mono text-accent underline">
          {row.id}
        </Link>
        <span>
          {row.raisedBy}, {ago(row.raisedAt)}
        </span>
        {row.waiting.length > 0 ? <span>{plural(row.waiting.length, 'task')} waiting on it</span> : null}
        {row.deadline ? (
          <span className="sm:ml-auto">
            ◷ {clockTime(row.deadline)}: {row.atDeadline}
          </span>
        ) : null}
      </div>
      <p className="mt-1.5 font-medium whitespace-pre-wrap">{row.question}</p>
      {row.context ? <p className="mt-1 whitespace-pre-wrap text-soft">{row.context}</p> : null}
      {row.tried.length > 0 ? (
        <details className="mt-1 text-sm text-soft">
          <summary className="cursor-pointer">What was tried ({row.tried.length})</summary>
          <ul className="list-disc pl-5">
            {keyed(row.tried, (text) => text).map(({ key, item }) => (
              <li key={key}>{item}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {subject ? <Decisions row={row} subject={subject} /> : null}
    </li>
  )
}

function Decisions({ row, subject }: { readonly row: InboxRow; readonly subject: SubjectOf<'case'> }) {
  const answer = actionNamed('answer')
  const options = row.settledBy.includes('answer') ? row.options : []
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-2">
      {keyed(options, ({ label }) => label).map(({ key, item: { label, tradeOff } }) => (
        <span key={key} data-option className="contents">
          <ActionButton
            action={answer}
            subject={subject}
            values={{ text: label }}
            {...(tradeOff ? { title: tradeOff } : {})}
          >
            {label}
            {row.fallback === label ? <span className="text-xs text-soft">(default)</span> : null}
          </ActionButton>
        </span>
      ))}
      {actionsFor(subject)
        .filter(({ id }) => SETTLES[id]?.some((way) => row.settledBy.includes(way)))
        .map((action) => (
          <ActionButton key={action.id} action={action} subject={subject} />
        ))}
    </div>
  )
}

/** The ways of settling a decision that each action implements. */
const SETTLES: Readonly<Record<string, InboxRow['settledBy']>> = {
  approve: ['review'],
  'request-changes': ['review'],
  answer: ['answer'],
  retry: ['retry'],
  override: ['override'],
  halt: ['halt'],
}
