import { type Command, InvalidArgumentError } from 'commander'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import type { RunOptions } from './run-options.ts'

const AGENTS_MAX = 50

export function define(command: Command, context: () => Context): void {
  command
    .option('--autopilot', 'take up whatever is ready, until nothing is')
    .option('--agents <n>', 'agents at once', agents)
    .option('--until <goal>', 'no-ready, count:N, duration:2h or time:18:00')
    .option('--tag <tag>', 'only tasks with this tag (repeatable)', collect, [])
    .option('--repair', 'when the target is red, begin with a task that repairs it')
    .option('--yes', 'start autopilot without asking')
    .option('--allow-unsandboxed', 'let agents run without a sandbox, if this machine has none')
    .option('--take-over', 'go on here although a director on another host did not leave the project')
    .action(async (options: RunOptions) => {
      const { runProject } = await import('./run-project.ts')
      await runProject(context(), options)
    })
  withExamples(
    command,
    'axiom run',
    'axiom run --autopilot --agents 4',
    'axiom run --autopilot --until count:5 --tag api',
    'axiom run --autopilot --non-interactive --json',
  )
}

function agents(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= AGENTS_MAX) return number
  throw new InvalidArgumentError(`a whole number from 1 to ${AGENTS_MAX}`)
}

function collect(tag: string, tags: readonly string[]): string[] {
  return [...tags, tag]
}
