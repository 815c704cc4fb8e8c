import type { ProjectRow } from '../../../../src/server/contract.ts'
import { ActionButton } from '../../actions/action-buttons.tsx'
import { actionNamed } from '../../actions/action-table.ts'
import { plural } from '../../parts/format.ts'

interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly words: string
  readonly command: string
}

function stepsOf({ name, checks, tasks }: ProjectRow): readonly Step[] {
  return [
    {
      isDone: true,
      title: 'Set up',
      words: `AXIOM knows ${name}; what it found can be looked at and changed.`,
      command: 'axiom doctor',
    },
    {
      isDone: checks.length > 0,
      title:
        checks.length > 0 ? `${plural(checks.length, 'check')}: ${checks.join(', ')}` : 'Name the checks',
      words: 'Nothing lands that they have not passed. Without any, nothing is proven.',
      command: `axiom config set verification '["npm test"]'`,
    },
    {
      isDone: tasks.total > 0,
      title: 'Give it a plan',
      words: 'A need becomes operations and tasks, each with criteria that can be held against the work.',
      command: 'axiom plan --from plan.json --yes',
    },
    {
      isDone: false,
      title: 'Let agents work',
      words: 'Assign tasks one by one, or let autopilot fill every free slot.',
      command: 'axiom run --autopilot',
    },
  ]
}

/** The remaining steps before the first agent can work, for a new project. */
export function FirstSteps({ project }: { readonly project: ProjectRow }) {
  return (
    <section aria-labelledby="first-steps" className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3">
        <h2 id="first-steps" className="text-lg font-semibold">
          There is nothing to do yet
        </h2>
        <span className="ml-auto">
          <ActionButton action={actionNamed('create')} subject={{ kind: 'project', project }} />
        </span>
      </header>
      <ol className="divide-y divide-line">
        {stepsOf(project).map(({ isDone, title, words, command }) => (
          <li key={command} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
            <span className={`w-14 shrink-0 text-sm font-medium ${isDone ? 'text-good' : 'text-soft'}`}>
              <span aria-hidden="true">{isDone ? '✓' : '○'}</span> {isDone ? 'done' : 'next'}
            </span>
            <span className="min-w-60 flex-1">
              <span className="block font-medium">{title}</span>
              <span className="block text-sm text-soft">{words}</span>
            </span>
            <code className="rounded-md bg-raised px-2 py-1 font-mono text-xs">{command}</code>
          </li>
        ))}
      </ol>
    </section>
  )
}
