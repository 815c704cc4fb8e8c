import type { Command } from 'commander'
import { tellAgent } from '../../project/interventions/order-agent.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('<agent>', 'an agent at work')
    .argument('<text...>', 'what it is to know')
    .action((agent: string, text: string[]) => tell(context(), agent, text.join(' ')))
  withExamples(command, 'axiom tell echo-003 "Use the parser in src/parse.ts"')
}

function tell(context: Context, agent: string, text: string): Promise<void> {
  return intervene(
    context,
    'tell',
    (store) => tellAgent(store, PERSON, agent, text),
    ({ task }) => `${agent} is told, at work on ${task} (${WHEN}).`,
  )
}
