import type { Command } from 'commander'
import { redirectAgent } from '../../project/interventions/redirect-agent.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('<agent>', 'a developer at work')
    .argument('<id>', 'the task that it is to take')
    .action((agent: string, id: string) => redirect(context(), agent, id))
  withExamples(command, 'axiom redirect echo-003 task-007')
}

function redirect(context: Context, agent: string, id: string): Promise<void> {
  return intervene(
    context,
    'redirect',
    (store) => redirectAgent(store, PERSON, agent, id),
    ({ from, to }) => `${agent} leaves ${from}, with its changes kept, and takes ${to} (${WHEN}).`,
  )
}
