import { getRouteApi } from '@tanstack/react-router'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useProject, useRows } from '../../state/use-rows.ts'
import { AgentCard } from './agent-card.tsx'
import { Figures } from './figures.tsx'
import { RecentEvents } from './recent-events.tsx'
import { SteeringBar } from './steering-bar.tsx'

const route = getRouteApi('/')

export function WorkPage() {
  const { agent: chosen } = route.useSearch()
  const project = useProject()
  const agents = useRows('agents')
  const hasTasks = (project?.tasks.total ?? 0) > 0
  return (
    <>
      <PageHead title="Work">
        <SteeringBar />
      </PageHead>
      {project && project.checks.length === 0 ? (
        <p role="alert" className="mb-4 rounded-md border-2 border-warn bg-surface px-3 py-2 text-warn">
          No checks are configured: nothing that lands has been tested. Add "verification" to config.json.
        </p>
      ) : null}
      <Figures />
      {agents.length === 0 ? (
        hasTasks ? (
          <EmptyState title="Nobody is at work" command="axiom run --autopilot">
            {project?.director === 'none'
              ? 'No director runs in this project.'
              : 'Nothing is ready to start.'}
          </EmptyState>
        ) : (
          <EmptyState title="There is nothing to do yet" command="axiom plan --from plan.json --yes">
            Give the project a plan, and its tasks appear here as agents take them.
          </EmptyState>
        )
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
