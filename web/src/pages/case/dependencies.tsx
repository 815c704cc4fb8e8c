import { Link } from '@tanstack/react-router'
import type { CaseDetail, CaseSummary } from '../../../../src/server/contract.ts'
import { ActionButton } from '../../actions/action-buttons.tsx'
import { actionNamed } from '../../actions/action-table.ts'
import { CaseMark, StatusBadge } from '../../parts/case-mark.tsx'
import { Section } from './section.tsx'

/** The dependencies and dependents of a case, and how to break a cycle. */
export function Dependencies({ detail }: { readonly detail: CaseDetail }) {
  const { summary, dependencies, dependents, children } = detail
  return (
    <Section title="Dependencies">
      {summary.cycle ? (
        <p role="alert" className="mb-2 rounded-md border-2 border-bad p-2 text-bad">
          ⟳ Circular: {summary.cycle.join(' → ')}. Remove one of these dependencies to break the circle.
        </p>
      ) : null}
      <CaseLinks
        title="Waits for"
        cases={dependencies}
        action={(on) => (
          <ActionButton
            small
            action={actionNamed('undepend')}
            subject={{ kind: 'case', row: summary }}
            values={{ on: on.id }}
            title={`No longer wait for ${on.id}`}
          >
            Remove
          </ActionButton>
        )}
      />
      <CaseLinks title="Is waited for by" cases={dependents} />
      <CaseLinks title="Children" cases={children} />
      {dependencies.length + dependents.length + children.length === 0 ? (
        <p className="text-soft">None.</p>
      ) : null}
    </Section>
  )
}

function CaseLinks({
  title,
  cases,
  action,
}: {
  readonly title: string
  readonly cases: readonly CaseSummary[]
  readonly action?: (row: CaseSummary) => React.ReactNode
}) {
  if (cases.length === 0) return null
  return (
    <div className="mb-2">
      <h3 className="text-xs text-soft">{title}</h3>
      <ul>
        {cases.map((row) => (
          <li key={row.id} className="flex items-center gap-2">
            <CaseMark type={row.type} />
            <Link
              to="/cases/$id"
              params={{ id: row.id }}
              className="shrink-0 font-mono text-accent underline"
            >
              {row.id}
            </Link>
            <span className="truncate">{row.title}</span>
            <span className="ml-auto flex shrink-0 items-center">
              <StatusBadge status={row.status} />
              {action?.(row)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
