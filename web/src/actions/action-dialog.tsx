import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { commandLineOf } from '../../../src/server/command-line.ts'
import type { CaseDetail, CommandAnswer } from '../../../src/server/contract.ts'
import { Button } from '../parts/button.tsx'
import { CopyCommand } from '../parts/copy-command.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { useCommand } from '../state/use-command.ts'
import { useRows, useWiring, useWords } from '../state/use-rows.ts'
import type { Begun, Known, Values } from './action.ts'
import { FieldInput } from './field-input.tsx'
import { nameOf } from './subjects.ts'

interface DialogProps {
  readonly begun: Begun
  readonly close: () => void
  readonly onDone: (answer: CommandAnswer) => void
}

/** A form for the input of an action. Shows the command, and the refusal if there is one. */
export function ActionDialog(props: DialogProps) {
  const { action, subject } = props.begun
  const known = useKnown(props.begun)
  return (
    <Dialog label={`${action.does}: ${nameOf(subject)}`} close={props.close}>
      {known ? (
        <Form {...props} known={known} />
      ) : (
        <p className="p-5 text-soft">Reading {nameOf(subject)}…</p>
      )}
    </Dialog>
  )
}

/** The choices of the form; the details of a case are loaded when the form opens. */
function useKnown({ action, subject }: Begun): Known | undefined {
  const { client } = useWiring()
  const words = useWords()
  const agents = useRows('agents')
  const cases = useRows('cases')
  const id = subject.kind === 'case' ? subject.row.id : undefined
  const isNeeded = id !== undefined && action.fields.some(({ initial }) => initial !== undefined)
  const { data: detail } = useQuery({
    queryKey: ['form', action.id, id, subject.kind === 'case' ? subject.row.rev : 0],
    queryFn: ({ signal }) => client.get<CaseDetail>(`/api/cases/${id}`, signal),
    enabled: isNeeded,
    gcTime: 0,
  })
  if (words === undefined || (isNeeded && detail === undefined)) return undefined
  return { words, agents, cases, detail }
}

function Form({ begun: { action, subject }, known, close, onDone }: DialogProps & { readonly known: Known }) {
  const title = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus()
  }, [])
  const { send, isSending } = useCommand()
  const [refusal, setRefusal] = useState<Extract<CommandAnswer, { kind: 'refused' }> | undefined>(undefined)
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(action.fields.map(({ name, initial }) => [name, initial?.(subject, known) ?? ''])),
  )
  const command = action.command(subject, values)
  const submit = async () => {
    if (command === undefined) return
    const answer = await send(command)
    if (answer?.kind === 'refused') setRefusal(answer)
    if (answer?.kind !== 'done') return
    onDone(answer)
    close()
  }
  return (
    <form
      ref={form}
      aria-labelledby={title}
      className="flex max-h-[76dvh] flex-col"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <header className="border-b border-line px-5 py-3">
        <h2 id={title} className="text-lg font-semibold">
          {action.name.replace('…', '')} <span className="font-mono text-soft">{nameOf(subject)}</span>
        </h2>
        <p className="text-sm text-soft">{action.does}.</p>
      </header>
      <div className="flex flex-col gap-3 overflow-y-auto px-5 py-4">
        {action.warning ? <p className="text-warn">▲ {action.warning}</p> : null}
        {action.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            choices={field.choices?.(subject, known, values) ?? []}
            set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {refusal ? <Refusal refusal={refusal} /> : null}
      </div>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
        <Button
          type="submit"
          tone={action.tone === 'danger' ? 'danger' : 'primary'}
          disabled={command === undefined || isSending}
        >
          {action.name.replace('…', '')}
        </Button>
        <Button onClick={close}>Cancel</Button>
        {command ? (
          <span className="ml-auto flex min-w-0 items-center">
            <code className="max-w-72 truncate font-mono text-xs text-soft">{commandLineOf(command)}</code>
            <CopyCommand command={command} />
          </span>
        ) : null}
      </footer>
    </form>
  )
}

function Refusal({ refusal }: { readonly refusal: Extract<CommandAnswer, { kind: 'refused' }> }) {
  return (
    <p role="alert" className="rounded-md border-2 border-bad px-3 py-2">
      <span className="font-medium text-bad">✕ {refusal.message}</span>
      {refusal.path ? <span className="block font-mono">{refusal.path.join(' → ')}</span> : null}
      {refusal.hint ? <span className="block text-sm text-soft">{refusal.hint}</span> : null}
    </p>
  )
}
