import type { Command } from 'commander'
import { stopAgent } from '../../project/interventions/order-agent.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command.argument('<agent>', 'an agent at work').action((agent: string) => stop(context(), agent))
  withExamples(command, 'axiom stop echo-003')
}

function stop(context: Context, agent: string): Promise<void> {
  return intervene(
    context,
    'stop',
    (store) => stopAgent(store, PERSON, agent),
    ({ task }) =>
      `${agent} is stopped (${WHEN}). Its changes are kept; ${task} waits for "axiom assign ${task}" or "axiom retry ${task}".`,
  )
}
