import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('[id]', 'a directive, or any case under it; may be left out while there is one directive')
    .action(async (id: string | undefined) => {
      const { showSpec } = await import('./show-spec.ts')
      return showSpec(context(), id)
    })
  withExamples(command, 'axiom spec', 'axiom spec dir-001', 'axiom spec task-042 --json')
}
