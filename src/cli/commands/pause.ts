import type { Command } from 'commander'
import { pauseAgent } from '../../project/interventions/order-agent.ts'
import { pauseProject } from '../../project/interventions/pause-project.ts'
import { words } from '../arguments.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, WHEN } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('[agent]', 'only this agent')
    .option('--reason <text>', 'why, for whoever looks', words)
    .action((agent: string | undefined, { reason }: { reason?: string }) =>
      agent === undefined ? pauseAll(context(), reason) : pauseOne(context(), agent),
    )
  withExamples(command, 'axiom pause', 'axiom pause --reason "deploying"', 'axiom pause echo-003')
}

function pauseAll(context: Context, reason: string | undefined): Promise<void> {
  return intervene(
    context,
    'pause',
    (store) => pauseProject(store, PERSON, reason),
    ({ changed, pause }) =>
      changed
        ? 'Paused: no new work starts, and agents rest at the end of their iteration.'
        : `Paused already since ${pause?.at} by ${pause?.by}: ${pause?.reason}`,
  )
}

function pauseOne(context: Context, agent: string): Promise<void> {
  return intervene(
    context,
    'pause',
    (store) => pauseAgent(store, PERSON, agent),
    ({ task }) => `${agent} rests at the end of its iteration on ${task} (${WHEN}).`,
  )
}
