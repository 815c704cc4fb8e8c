import type { Command } from 'commander'
import { assignTask } from '../../project/interventions/assign-task.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('<id>', 'a task that is ready')
    .argument('[agent]', 'an agent at work, which takes it when it is free; any agent if absent')
    .action((id: string, agent: string | undefined) => assign(context(), id, agent))
  withExamples(command, 'axiom assign task-004', 'axiom assign task-004 echo-003')
}

function assign(context: Context, id: string, agent: string | undefined): Promise<void> {
  return intervene(
    context,
    'assign',
    (store) => assignTask(store, PERSON, id, agent),
    () => `${id} is taken up next by ${agent ?? 'the next free agent'} (${WHEN}).`,
  )
}
