import type { ComponentProps } from 'react'
import type { PersonCommand } from '../../../src/server/contract.ts'
import { tellAnswer, useCommand } from '../state/use-command.ts'
import { Button } from './button.tsx'
import { CopyCommand } from './copy-command.tsx'

/** A button for a command outside the table of actions, with the command to copy. */
export function CommandButton({
  command,
  children,
  onDone,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  readonly command: PersonCommand
  readonly onDone?: () => void
}) {
  const { send, isSending } = useCommand()
  return (
    <span className="inline-flex items-center">
      <Button
        {...rest}
        disabled={isSending || rest.disabled === true}
        onClick={() => {
          void send(command).then((answer) => {
            tellAnswer(answer)
            if (answer?.kind === 'done') onDone?.()
          })
        }}
      >
        {children}
      </Button>
      <CopyCommand command={command} />
    </span>
  )
}
