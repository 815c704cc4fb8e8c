import type { Command } from 'commander'
import { makeCheckpoint } from '../../director/checkpoints/make-checkpoint.ts'
import { type Checkpoint, listCheckpoints } from '../../integration/checkpoints/checkpoint.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { withGround } from '../with-ground.ts'

export function define(command: Command, context: () => Context): void {
  command
    .argument(
      '[name]',
      'a name, by which it is kept until you remove it; without one it is named after the moment',
    )
    .option('--list', 'the checkpoints there are')
    .action((name: string | undefined, options: { list?: boolean }) =>
      options.list ? list(context()) : make(context(), name),
    )
  withExamples(command, 'axiom checkpoint before-the-rewrite', 'axiom checkpoint --list --json')
}

function make(context: Context, name: string | undefined): Promise<void> {
  return withGround(context, 'checkpoint', async (project) => {
    const wish = { reason: 'asked for', ...(name === undefined ? {} : { name }) }
    const checkpoint = await makeCheckpoint({ ...project, clock: systemClock }, wish)
    print(context, checkpoint, () => line(checkpoint))
  })
}

function list(context: Context): Promise<void> {
  const none = context.colors.dim('There is no checkpoint yet.')
  const show = (all: readonly Checkpoint[]): void =>
    print(context, all, () => (all.length === 0 ? none : all.map(line).join('\n')))
  return withGround(
    context,
    'checkpoint',
    async ({ ground }) => show(await listCheckpoints(ground.git, ground.integration)),
    () => show([]),
  )
}

function line({ name, at, commit, reason }: Checkpoint): string {
  return `${name}  ${at}  ${commit.slice(0, 12)}  ${reason}`
}
