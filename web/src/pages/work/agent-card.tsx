import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef } from 'react'
import type { AgentRow, LiveRow } from '../../../../src/server/contract.ts'
import { ActionButton } from '../../actions/action-buttons.tsx'
import { actionsFor } from '../../actions/action-table.ts'
import { duration } from '../../parts/format.ts'
import { Meter } from '../../parts/meter.tsx'
import { useLive, useWords } from '../../state/use-rows.ts'
import { INDICATORS } from './indicators.ts'

/**
 * One running agent: its name, task, progress and current activity. A page may have two hundred cards, so
 * only changed ones are rendered.
 */
export const AgentCard = memo(function AgentCard({
  row,
  chosen,
}: {
  readonly row: AgentRow
  /** Selected by the address. */
  readonly chosen: boolean
}) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chosen) card.current?.focus()
  }, [chosen])
  const live = useLive(row.agent)
  const persona = useWords()?.personas.find(({ prefix }) => prefix === row.kind)
  const indicator = INDICATORS[row.indicator]
  const progress = live?.progress
  return (
    <article
      ref={card}
      aria-label={`${row.agent}: ${indicator.word}`}
      data-selectable
      data-subject={`agent:${row.agent}`}
      tabIndex={-1}
      className={`rounded-lg border bg-surface px-3 py-2.5 outline-offset-2 focus:outline-2 focus:outline-accent ${indicator.border}`}
      style={{ borderInlineStart: `5px solid var(--hue-${persona?.colour.toLowerCase()}, var(--line))` }}
    >
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="text-lg">
          {persona?.emoji ?? '•'}
        </span>
        <Link to="/" search={{ agent: row.agent }} className="font-mono font-semibold hover:underline">
          {row.agent}
        </Link>
        <span className={`ml-auto text-xs font-medium ${indicator.text}`}>
          <span aria-hidden="true">{indicator.sign} </span>
          {indicator.word}
        </span>
      </div>
      <p className="mt-1 truncate" title={row.title}>
        <Link
          data-opens
          to="/cases/$id"
          params={{ id: row.task }}
          className="font-mono text-accent underline"
        >
          {row.task}
        </Link>{' '}
        {row.title}
      </p>
      <div className="mt-2">
        <Meter label={`Progress of ${row.agent}`} percent={progress} />
      </div>
      <p className="mt-1.5 flex gap-3 text-xs text-soft tabular-nums">
        <span>iteration {live?.iteration ?? row.iteration}</span>
        {live ? <span>{duration(live.elapsedMs)}</span> : null}
        {progress === undefined ? null : <span>{progress} %</span>}
        <span className="ml-auto">{live?.state ?? row.state}</span>
      </p>
      <p className="mt-1 h-4 truncate font-mono text-xs text-soft" title={live?.activity}>
        {saying(row, live)}
      </p>
      <CardActions row={row} />
    </article>
  )
})

/**
 * Memoized: the buttons are the most expensive part of two hundred cards, and few changes of an agent affect
 * them.
 */
const CardActions = memo(
  function CardActions({ row }: { readonly row: AgentRow }) {
    const subject = { kind: 'agent', row } as const
    return (
      <div className="mt-1.5 -ml-px flex flex-wrap items-center gap-x-1 gap-y-1.5">
        {actionsFor(subject).map((action) => (
          <ActionButton key={action.id} action={action} subject={subject} small />
        ))}
      </div>
    )
  },
  ({ row: before }, { row: after }) =>
    before.agent === after.agent &&
    before.stage === after.stage &&
    before.indicator === after.indicator &&
    before.orders.join() === after.orders.join(),
)

/** The current activity; what the user must know first takes precedence. */
function saying(row: AgentRow, live: LiveRow | undefined): string {
  if (row.orders.length > 0) return `asked: ${row.orders.join(', ')}`
  if (live?.waiting) return `waits: ${live.waiting.reason}`
  if (live?.warning) return live.warning
  return live?.activity ?? (row.state === 'holding' ? 'its work is in other hands' : '')
}
