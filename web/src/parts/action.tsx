import type { ComponentProps } from 'react'
import { commandLineOf } from '../../../src/server/command-line.ts'
import type { PersonCommand } from '../../../src/server/contract.ts'
import { showToast } from '../state/toasts.ts'
import { useCommand } from '../state/use-command.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A button that does what a command of the terminal does, and beside it the command to copy. */
export function Action({
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
          void send(command).then((isDone) => {
            if (isDone) onDone?.()
          })
        }}
      >
        {children}
      </Button>
      <CopyCommand command={command} />
    </span>
  )
}

export function CopyCommand({ command }: { readonly command: PersonCommand }) {
  const line = commandLineOf(command)
  return (
    <Button
      tone="quiet"
      className="px-1 text-soft"
      title={`Copy as command: ${line}`}
      aria-label={`Copy as command: ${line}`}
      onClick={() => {
        void navigator.clipboard.writeText(line).then(
          () => showToast('good', 'Copied', line),
          () => showToast('bad', 'This browser does not let a page copy', line),
        )
      }}
    >
      <Icon name="copy" />
    </Button>
  )
}
