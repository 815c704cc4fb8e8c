import { getRouteApi } from '@tanstack/react-router'
import type { ProjectRow } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useProject, useRows } from '../../state/use-rows.ts'
import { AgentCard } from './agent-card.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { RecentEvents } from './recent-events.tsx'
import { SteeringBar } from './steering-bar.tsx'

const route = getRouteApi('/')

export function WorkPage() {
  const { agent: chosen } = route.useSearch()
  const project = useProject()
  const agents = useRows('agents')
  return (
    <>
      <PageHead title="Work">
        <SteeringBar />
      </PageHead>
      {project && project.checks.length === 0 && project.tasks.total > 0 ? (
        <p role="alert" className="mb-4 rounded-md border-2 border-warn bg-surface px-3 py-2 text-warn">
          No checks are configured: nothing that lands has been tested. Add "verification" to config.json.
        </p>
      ) : null}
      <Figures />
      {agents.length === 0 ? (
        project ? (
          <Nobody project={project} />
        ) : null
      ) : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3">
          {agents.map((row) => (
            <AgentCard key={row.agent} row={row} chosen={row.agent === chosen} />
          ))}
        </div>
      )}
      <RecentEvents />
    </>
  )
}

/** Why there is no card, and what to do about it. */
function Nobody({ project }: { readonly project: ProjectRow }) {
  const { tasks, director } = project
  if (tasks.total === 0) return <FirstSteps project={project} />
  if (tasks.done === tasks.total) {
    return (
      <EmptyState title="Everything has landed" command="axiom plan --from plan.json --yes">
        The next need begins with a plan.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nobody is at work" command={tasks.ready > 0 ? 'axiom run --autopilot' : 'axiom inbox'}>
      {tasks.ready === 0
        ? 'Nothing is ready to start: something waits for you, or for something else.'
        : director === 'none'
          ? 'No director runs in this project.'
          : 'Tasks are ready; assign one, or switch to autopilot.'}
    </EmptyState>
  )
}
