import { commandLineOf } from '../../../src/server/command-line.ts'
import type { PersonCommand } from '../../../src/server/contract.ts'
import { showToast } from '../state/toasts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** Copies an action as a terminal command. */
export function CopyCommand({ command }: { readonly command: PersonCommand }) {
  const line = commandLineOf(command)
  return (
    <Button
      tone="quiet"
      size="icon"
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
