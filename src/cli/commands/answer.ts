import type { Command } from 'commander'
import { Failure } from '../../platform/failure.ts'
import { words } from '../arguments.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { withStore } from '../project.ts'

interface Options {
  readonly always?: boolean
}

export function define(command: Command, context: () => Context): void {
  command
    .argument('<id>', 'a question of the inbox, or the task that waits for it')
    .argument('<text>', 'the answer, or the number of an option', words)
    .option('--always', 'answer the same question so whenever it comes up again')
    .action((id: string, text: string, options: Options) => answer(context(), id, text, options))
  withExamples(
    command,
    'axiom answer pend-001 "keep the old name"',
    'axiom answer task-004 2',
    'axiom answer pend-002 retry',
    'axiom answer pend-003 yes --always',
  )
}

function answer(context: Context, id: string, text: string, { always }: Options): Promise<void> {
  return withStore(context, 'answer', async (store, { folder }) => {
    const [{ answerQuestion }, { personEventContext }, { loadConfig }] = await Promise.all([
      import('../../project/interventions/answer-question.ts'),
      import('../../project/delivery/event-context.ts'),
      import('../load-config.ts'),
    ])
    const { config } = await loadConfig(folder)
    const world = personEventContext(folder, config)
    const outcome = await answerQuestion(store, world, { id, text, by: 'user', stands: always === true })
    if (outcome.kind === 'refused') throw new Failure(outcome.code, outcome.message, { hint: outcome.hint })
    print(context, outcome, () => {
      const goesOn = outcome.task === null ? '' : `; ${outcome.task} is ${outcome.state}`
      return `${outcome.question} is answered: ${outcome.answer}${goesOn}`
    })
  })
}
