import { Action } from '../../parts/action.tsx'
import { Badge } from '../../parts/badge.tsx'
import { money } from '../../parts/format.ts'
import { useProject } from '../../state/use-rows.ts'

/** The whole project's switches: mode, pause, slots, what it cost so far. */
export function SteeringBar() {
  const project = useProject()
  if (!project) return null
  const { mode, paused, quiet, slots, spend, forecastUsd } = project
  return (
    <>
      {paused ? (
        <Badge tone="warn" sign="❚❚">
          paused: {paused.reason}
        </Badge>
      ) : null}
      {quiet ? (
        <Badge tone="wait" sign="◷">
          quiet: {quiet.reason}
        </Badge>
      ) : null}
      <span className="text-sm text-soft">
        {slots.used} of {slots.total} slots
      </span>
      <span className="text-sm text-soft">
        {money(spend.costUsd)}
        {forecastUsd === null ? '' : `, forecast ${money(forecastUsd)}`}
      </span>
      <Badge tone="accent" sign={mode === 'autopilot' ? '▶' : '◐'}>
        {mode}
      </Badge>
      {mode === 'autopilot' ? (
        <Action command={{ kind: 'mode', mode: 'semi-auto' }}>Switch to semi-auto</Action>
      ) : (
        <Action command={{ kind: 'mode', mode: 'autopilot' }}>Switch to autopilot</Action>
      )}
      {paused ? (
        <Action tone="primary" command={{ kind: 'resume' }}>
          Resume
        </Action>
      ) : (
        <Action command={{ kind: 'pause' }}>Pause</Action>
      )}
    </>
  )
}
