import { useNavigate, useRouter } from '@tanstack/react-router'
import { createContext, lazy, Suspense, useCallback, useContext, useMemo, useState } from 'react'
import type { CommandAnswer } from '../../../src/server/contract.ts'
import { tellAnswer, useCommand } from '../state/use-command.ts'
import { type Action, type Begun, isDirect, type Subject, type Values } from './action.ts'

const ActionDialog = lazy(() =>
  import('./action-dialog.tsx').then(({ ActionDialog }) => ({ default: ActionDialog })),
)

interface Desk {
  /** Runs the action at once, or opens a form for its input. With complete values, no form is opened. */
  start(action: Action, subject: Subject, values?: Values): void
  readonly isSending: boolean
}

const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === undefined) throw new Error('there is no desk above this part')
  return desk
}

/** The one place where actions start, by button, key or palette. */
export function ActionDesk({ children }: { readonly children: React.ReactNode }) {
  const [begun, setBegun] = useState<Begun | undefined>(undefined)
  const { send, isSending } = useCommand()
  const follow = useFollowing()
  const start = useCallback(
    (action: Action, subject: Subject, values?: Values) => {
      const command = isDirect(action) || values ? action.command(subject, values ?? {}) : undefined
      if (command === undefined) {
        setBegun({ action, subject })
        return
      }
      void send(command).then((answer) => {
        tellAnswer(answer)
        if (answer?.kind === 'done') follow({ action, subject }, answer)
      })
    },
    [send, follow],
  )
  const desk = useMemo(() => ({ start, isSending }), [start, isSending])
  return (
    <DeskContext value={desk}>
      {children}
      <Suspense fallback={null}>
        {begun ? (
          <ActionDialog
            begun={begun}
            close={() => setBegun(undefined)}
            onDone={(answer) => {
              tellAnswer(answer)
              follow(begun, answer)
            }}
          />
        ) : null}
      </Suspense>
    </DeskContext>
  )
}

/** Opens the case that an action created, and leaves the page of one that it removed. */
function useFollowing() {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(
    ({ action, subject }: Begun, answer: CommandAnswer) => {
      if (answer.kind !== 'done') return
      const [id] = answer.cases
      if (action.afterwards === 'open' && id !== undefined)
        void navigate({ to: '/cases/$id', params: { id } })
      const isHere = subject.kind === 'case' && router.state.location.pathname === `/cases/${subject.row.id}`
      if (action.afterwards === 'leave' && isHere) void navigate({ to: '/cases' })
    },
    [navigate, router],
  )
}
