import { useRef } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyCommand } from '../parts/copy-command.tsx'
import type { Action, Subject, Values } from './action.ts'
import { isDirect } from './action.ts'
import { useDesk } from './action-desk.tsx'
import { actionsFor } from './action-table.ts'

/** One action as a button. A direct action has a copyable command beside it; one with a form has it there. */
export function ActionButton({
  action,
  subject,
  values,
  children,
  title,
  small = false,
}: {
  readonly action: Action
  readonly subject: Subject
  readonly values?: Values
  readonly children?: React.ReactNode
  readonly title?: string
  readonly small?: boolean
}) {
  const { start, isSending } = useDesk()
  const command = isDirect(action) || values ? action.command(subject, values ?? {}) : undefined
  return (
    <span className="inline-flex items-center">
      <Button
        tone={action.tone ?? 'plain'}
        size={small ? 'small' : 'normal'}
        disabled={isSending}
        title={title ?? `${action.does} (${action.key})`}
        onClick={() => start(action, subject, values)}
      >
        {children ?? action.name}
      </Button>
      {command ? <CopyCommand command={command} /> : null}
    </span>
  )
}

/** The available actions of a subject: the usual ones as buttons, the rest in a menu. */
export function ActionButtons({ subject }: { readonly subject: Subject }) {
  const actions = actionsFor(subject)
  const rest = actions.filter(({ prominent }) => !prominent)
  return (
    <>
      {actions
        .filter(({ prominent }) => prominent)
        .map((action) => (
          <ActionButton key={action.id} action={action} subject={subject} />
        ))}
      {rest.length > 0 ? <More actions={rest} subject={subject} /> : null}
    </>
  )
}

function More({ actions, subject }: { readonly actions: readonly Action[]; readonly subject: Subject }) {
  const { start } = useDesk()
  const list = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (list.current) list.current.open = false
  }
  return (
    <details
      ref={list}
      className="relative"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close()
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close()
      }}
    >
      <summary className="inline-flex min-h-7 cursor-pointer list-none items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 py-0.5 text-sm font-medium hover:bg-raised">
        More <span aria-hidden="true">▾</span>
      </summary>
      <ul className="absolute z-20 mt-1 w-60 rounded-lg border border-line bg-surface p-1 shadow-lg">
        {actions.map((action) => {
          const command = isDirect(action) ? action.command(subject, {}) : undefined
          return (
            <li key={action.id} className="flex items-center">
              <Button
                tone="quiet"
                className={`grow ${action.tone === 'danger' ? 'text-bad' : ''}`}
                title={action.does}
                onClick={() => {
                  close()
                  start(action, subject)
                }}
              >
                {action.name}
                <span aria-hidden="true" className="ml-auto font-mono text-xs text-soft">
                  {action.key}
                </span>
              </Button>
              {command ? <CopyCommand command={command} /> : null}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
