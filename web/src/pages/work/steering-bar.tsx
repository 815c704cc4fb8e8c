import { Action } from '../../parts/action.tsx'
import { Badge } from '../../parts/badge.tsx'
import { useProject } from '../../state/use-rows.ts'

/** The whole project's switches: mode and pause. */
export function SteeringBar() {
  const project = useProject()
  if (!project) return null
  const { mode, paused, quiet } = project
  return (
    <>
      {paused ? (
        <Badge tone="warn" sign="‖">
          paused: {paused.reason}
        </Badge>
      ) : null}
      {quiet ? (
        <Badge tone="wait" sign="◷">
          quiet: {quiet.reason}
        </Badge>
      ) : null}
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
