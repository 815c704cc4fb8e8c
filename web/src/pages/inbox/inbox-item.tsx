import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { InboxRow, PersonCommand } from '../../../../src/server/contract.ts'
import { Action } from '../../parts/action.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { ago, clockTime, plural } from '../../parts/format.ts'

const LOOKS: Readonly<Record<InboxRow['kind'], { tone: Tone; sign: string }>> = {
  question: { tone: 'wait', sign: '?' },
  review: { tone: 'accent', sign: '✓' },
  escalation: { tone: 'bad', sign: '!' },
  repair: { tone: 'bad', sign: '⚒' },
  conflict: { tone: 'warn', sign: '⇄' },
  publish: { tone: 'warn', sign: '⇡' },
  held: { tone: 'warn', sign: '■' },
}

/** One decision: what is asked, what is known, what holds if nobody decides, and the buttons that settle it. */
export function InboxItem({ row }: { readonly row: InboxRow }) {
  const { tone, sign } = LOOKS[row.kind]
  return (
    <li
      data-selectable
      tabIndex={-1}
      className="rounded-lg border border-line bg-surface p-4 focus:border-accent focus:outline-none"
    >
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <Badge tone={tone} sign={sign}>
          {row.kind}
        </Badge>
        <Link to="/cases/$id" params={{ id: row.id }} className="font-mono text-accent underline">
          {row.id}
        </Link>
        <span>
          {row.raisedBy}, {ago(row.raisedAt)}
        </span>
        {row.waiting.length > 0 ? <span>{plural(row.waiting.length, 'task')} waiting on it</span> : null}
        {row.deadline ? (
          <span className="ml-auto">
            until {clockTime(row.deadline)}: {row.atDeadline}
          </span>
        ) : null}
      </div>
      <p className="mt-2 font-medium whitespace-pre-wrap">{row.question}</p>
      {row.context ? <p className="mt-1 whitespace-pre-wrap text-soft">{row.context}</p> : null}
      {row.tried.length > 0 ? (
        <details className="mt-1 text-sm text-soft">
          <summary>What was tried ({row.tried.length})</summary>
          <ul className="list-disc pl-5">
            {row.tried.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      ) : null}
      <Answers row={row} />
    </li>
  )
}

function Answers({ row }: { readonly row: InboxRow }) {
  const [text, setText] = useState('')
  const isReview = row.settledBy.includes('review')
  const answer = (words: string): PersonCommand => ({ kind: 'answer', case: row.id, text: words })
  const note = text.trim()
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      {isReview ? (
        <Action
          tone="primary"
          command={{ kind: 'review', task: row.id, decision: 'approve', ...(note ? { note } : {}) }}
        >
          Approve
        </Action>
      ) : (
        row.options.map(({ label, tradeOff }) => (
          <Action key={label} command={answer(label)} {...(tradeOff ? { title: tradeOff } : {})}>
            {label}
            {row.fallback === label ? <span className="text-xs text-soft">(default)</span> : null}
          </Action>
        ))
      )}
      <label className="min-w-60 grow">
        <span className="sr-only">{isReview ? 'What has to change' : 'Your answer'}</span>
        <textarea
          rows={1}
          className="w-full rounded-md border border-line bg-ground px-2 py-1"
          placeholder={isReview ? 'What has to change' : 'Your own answer'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {isReview ? (
        <Action disabled={note === ''} command={{ kind: 'review', task: row.id, decision: 'changes', note }}>
          Request changes
        </Action>
      ) : null}
      {row.settledBy.includes('answer') ? (
        <Action disabled={note === ''} command={answer(note)} onDone={() => setText('')}>
          Answer
        </Action>
      ) : null}
      {row.settledBy.includes('retry') ? (
        <Action command={{ kind: 'retry', task: row.id, ...(note ? { guidance: note } : {}) }}>Retry</Action>
      ) : null}
      {row.settledBy.includes('override') ? (
        <Action command={{ kind: 'override', case: row.id, ...(note ? { reason: note } : {}) }}>
          Override
        </Action>
      ) : null}
      {row.settledBy.includes('halt') ? (
        <Action tone="danger" command={{ kind: 'halt', task: row.id }}>
          Halt
        </Action>
      ) : null}
    </div>
  )
}
