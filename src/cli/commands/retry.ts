import type { Command } from 'commander'
import { retryTask } from '../../project/interventions/retry-task.ts'
import { words } from '../arguments.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'
import { intervene, PERSON, wordWorldOf } from '../intervene.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument('<id>', 'a task that failed, timed out, is blocked or was stopped')
    .option('--note <text>', 'what the next agent is to know', words)
    .action((id: string, { note }: { note?: string }) => retry(context(), id, note))
  withExamples(command, 'axiom retry task-004', 'axiom retry task-004 --note "the API has moved to /v2"')
}

function retry(context: Context, id: string, note: string | undefined): Promise<void> {
  return intervene(
    context,
    'retry',
    async (store, project) => retryTask(store, await wordWorldOf(project), PERSON, id, note),
    () => `${id} is tried again.`,
  )
}
