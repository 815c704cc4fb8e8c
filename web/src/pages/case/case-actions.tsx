import { useState } from 'react'
import type { CaseDetail, PersonCommand } from '../../../../src/server/contract.ts'
import { Action } from '../../parts/action.tsx'

/** What can be done to this case as it stands; anything else is refused by the server with its reason. */
export function CaseActions({ detail }: { readonly detail: CaseDetail }) {
  const [note, setNote] = useState('')
  const { summary } = detail
  const words = note.trim()
  const holder = Object.values(summary.holders)[0]
  const actions = actionsFor(detail, words)
  const isAtWork = summary.type === 'task' && holder !== undefined
  if (actions.length === 0 && !isAtWork) return null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {actions.map(({ name, command, needsWords }) => (
        <Action key={name} command={command} disabled={needsWords && words === ''}>
          {name}
        </Action>
      ))}
      {isAtWork ? (
        <>
          <Action
            disabled={words === ''}
            command={{ kind: 'tell', agent: holder, text: words }}
            onDone={() => setNote('')}
          >
            Tell {holder}
          </Action>
          <Action tone="danger" command={{ kind: 'stop', agent: holder }}>
            Stop {holder}
          </Action>
        </>
      ) : null}
      <label className="min-w-60 grow">
        <span className="sr-only">Words for the action</span>
        <input
          className="w-full rounded-md border border-line bg-surface px-2 py-1"
          placeholder="A message, a reason, guidance"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
    </div>
  )
}

interface Choice {
  readonly name: string
  readonly command: PersonCommand
  readonly needsWords: boolean
}

function actionsFor({ summary, delivery }: CaseDetail, words: string): readonly Choice[] {
  const { id, type, status } = summary
  const one = (name: string, command: PersonCommand, needsWords = false): Choice => ({
    name,
    command,
    needsWords,
  })
  if (type !== 'task')
    return type === 'pending' && status !== 'done'
      ? [one('Answer', { kind: 'answer', case: id, text: words }, true)]
      : []
  switch (status) {
    case 'pending':
      return [
        one('Assign', { kind: 'assign', task: id }),
        one('Complete by hand', { kind: 'complete', case: id }),
        one('Defer', { kind: 'defer', case: id, reason: words }, true),
      ]
    case 'failed':
    case 'timeout':
      return [one('Retry', { kind: 'retry', task: id, ...(words ? { guidance: words } : {}) })]
    case 'review':
      return delivery?.state === 'person-review'
        ? [
            one('Approve', { kind: 'review', task: id, decision: 'approve' }),
            one('Request changes', { kind: 'review', task: id, decision: 'changes', note: words }, true),
          ]
        : []
    case 'blocked':
      return delivery?.state === 'repair-escalated' || delivery?.state === 'halted'
        ? [one('Override', { kind: 'override', case: id })]
        : []
    default:
      return []
  }
}
