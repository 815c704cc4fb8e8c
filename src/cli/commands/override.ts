import type { Command } from 'commander'
import { overrideCase } from '../../project/interventions/override-case.ts'
import { words } from '../arguments.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, wordWorldOf } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('<id>', 'a task whose repair was given up, or a case whose budget is spent')
    .option('--reason <text>', 'why, for the history', words)
    .action((id: string, { reason }: { reason?: string }) => override(context(), id, reason))
  withExamples(command, 'axiom override task-004', 'axiom override op-002 --reason "worth the money"')
}

function override(context: Context, id: string, reason: string | undefined): Promise<void> {
  return intervene(
    context,
    'override',
    async (store, project) => overrideCase(store, await wordWorldOf(project), PERSON, id, reason),
    ({ what }) =>
      what === 'repair'
        ? `${id} goes on although its environment is not repaired.`
        : `${id} goes on, whatever it costs.`,
  )
}
