import { ActionButton, ActionButtons } from '../../actions/action-buttons.tsx'
import { actionsFor } from '../../actions/action-table.ts'
import { useCaseSubject } from '../../actions/use-case-subject.ts'
import { useRows } from '../../state/use-rows.ts'

/** The available actions on this case, and on the agents that hold it. */
export function CaseActions({ id }: { readonly id: string }) {
  const subject = useCaseSubject(id)
  const holders = subject ? Object.values(subject.row.holders) : []
  const agents = useRows('agents').filter(({ agent }) => holders.includes(agent))
  if (!subject) return null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <ActionButtons subject={subject} />
      {agents.map((row) => (
        <span key={row.agent} className="flex flex-wrap items-center gap-1 border-l border-line pl-2">
          <span className="font-mono text-sm text-soft">{row.agent}</span>
          {actionsFor({ kind: 'agent', row }).map((action) => (
            <ActionButton key={action.id} action={action} subject={{ kind: 'agent', row }} />
          ))}
        </span>
      ))}
    </div>
  )
}
