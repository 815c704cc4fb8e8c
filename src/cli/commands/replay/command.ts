import type { Command } from 'commander'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { EXIT } from '../../exit-code.ts'
import { createRunInside, type RunCommand } from '../../run-inside.ts'

export function define(command: Command, context: () => Context, runCommand: RunCommand): void {
  command
    .argument('<log>', 'a recording of a run, from the folder "recordings" of a project')
    .action((log: string) => replay(context(), runCommand, log))
  withExamples(command, 'axiom replay .axiom/recordings/dex-001.jsonl')
}

async function replay(context: Context, runCommand: RunCommand, log: string): Promise<void> {
  const { replayRecording } = await import('./replay-recording.ts')
  const result = await replayRecording(context, createRunInside(context, runCommand), log)
  const { turns, done, same, code, repository } = result
  print(context, result, () => {
    const how =
      same === null
        ? 'the recording was cut short, so there is nothing to compare with'
        : same
          ? 'the same tasks are done, and the target holds the same files'
          : 'it ended differently than the recording'
    return `${turns} turns replayed, ${done.length} tasks done: ${how}.\nLook at it: ${repository}`
  })
  context.exit(same === null ? code : same ? EXIT.ok : EXIT.failed)
}
