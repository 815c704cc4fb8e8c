import type { Command } from 'commander'
import { resumeAgent } from '../../project/interventions/order-agent.ts'
import { resumeProject } from '../../project/interventions/pause-project.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('[agent]', 'only this agent')
    .action((agent: string | undefined) =>
      agent === undefined ? resumeAll(context()) : resumeOne(context(), agent),
    )
  withExamples(command, 'axiom resume', 'axiom resume echo-003')
}

function resumeAll(context: Context): Promise<void> {
  return intervene(
    context,
    'resume',
    (store) => resumeProject(store, PERSON),
    ({ changed, pause }) =>
      changed
        ? `Resumed. It had been paused by ${pause?.by}: ${pause?.reason}`
        : 'The project is not paused.',
  )
}

function resumeOne(context: Context, agent: string): Promise<void> {
  return intervene(
    context,
    'resume',
    (store) => resumeAgent(store, PERSON, agent),
    ({ task }) => `${agent} goes on with ${task} (${WHEN}).`,
  )
}
