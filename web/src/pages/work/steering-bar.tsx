import { ActionButton } from '../../actions/action-buttons.tsx'
import { actionsFor } from '../../actions/action-table.ts'
import { Badge } from '../../parts/badge.tsx'
import { clockTime, plural } from '../../parts/format.ts'
import { useProject } from '../../state/use-rows.ts'

/** The state of the whole project, and its controls. */
export function SteeringBar() {
  const project = useProject()
  if (!project) return null
  const { mode, paused, quiet, sprint } = project
  const subject = { kind: 'project', project } as const
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
          {quiet.until ? `, until ${clockTime(quiet.until)}` : ''}
        </Badge>
      ) : null}
      <Badge tone="accent" sign={mode === 'autopilot' ? '▶' : '◐'}>
        {mode}
        {sprint
          ? ` ${sprint.goal}${sprint.tags.length > 0 ? `, ${plural(sprint.tags.length, 'tag')}` : ''}`
          : ''}
      </Badge>
      {actionsFor(subject).map((action) => (
        <ActionButton key={action.id} action={action} subject={subject} />
      ))}
    </>
  )
}
