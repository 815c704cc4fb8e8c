import { Link } from '@tanstack/react-router'
import type { AgentRow } from '../../../../src/server/contract.ts'
import { Action } from '../../parts/action.tsx'
import { duration } from '../../parts/format.ts'
import { useLive, useWords } from '../../state/use-rows.ts'
import { INDICATORS } from './indicators.ts'

/** One agent at work: who, on what, how far, and what it does this second. */
export function AgentCard({ row }: { readonly row: AgentRow }) {
  const live = useLive(row.agent)
  const persona = useWords()?.personas.find(({ prefix }) => prefix === row.kind)
  const indicator = INDICATORS[row.indicator]
  const progress = live?.progress
  return (
    <article
      aria-label={`${row.agent}: ${indicator.word}`}
      className={`rounded-lg border-2 bg-surface p-3 ${indicator.border}`}
      style={{ borderInlineStartColor: persona?.colour, borderInlineStartWidth: '5px' }}
    >
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="text-lg">
          {persona?.emoji ?? '•'}
        </span>
        <span className="font-mono font-semibold">{row.agent}</span>
        <span className={`ml-auto text-xs font-medium ${indicator.text}`}>
          <span aria-hidden="true">{indicator.sign} </span>
          {indicator.word}
        </span>
      </div>
      <p className="mt-1 truncate" title={row.title}>
        <Link to="/cases/$id" params={{ id: row.task }} className="font-mono text-accent underline">
          {row.task}
        </Link>{' '}
        {row.title}
      </p>
      <div
        role="progressbar"
        aria-label={`Progress of ${row.agent}`}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(progress === undefined ? {} : { 'aria-valuenow': progress })}
        className="mt-2 h-1.5 overflow-hidden rounded-full bg-raised"
      >
        <div className="h-full bg-accent transition-[width]" style={{ width: `${progress ?? 0}%` }} />
      </div>
      <p className="mt-1 flex gap-3 text-xs text-soft">
        <span>iteration {live?.iteration ?? row.iteration}</span>
        <span>{duration(live?.elapsedMs ?? 0)}</span>
        <span>{progress === undefined ? 'no progress told' : `${progress} %`}</span>
        <span className="ml-auto">{live?.state ?? row.state}</span>
      </p>
      <p className="mt-1 h-5 truncate font-mono text-xs text-soft" title={live?.activity}>
        {live?.waiting ? `waits: ${live.waiting.reason}` : (live?.warning ?? live?.activity ?? '')}
      </p>
      <div className="mt-2 flex flex-wrap gap-1">
        <Action command={{ kind: 'pause', agent: row.agent }}>Pause</Action>
        <Action tone="danger" command={{ kind: 'stop', agent: row.agent }}>
          Stop
        </Action>
        {row.orders.length > 0 ? (
          <span className="text-xs text-warn">asked: {row.orders.join(', ')}</span>
        ) : null}
      </div>
    </article>
  )
}
