import type { Command } from 'commander'
import { parseWhole } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { createRunInside, type RunCommand } from '../../run-inside.ts'

interface Options {
  readonly exit?: boolean
  readonly dir?: string
  readonly seed: number
}

const SEED = 7

export function define(command: Command, context: () => Context, runCommand: RunCommand): void {
  command
    .option('--exit', 'end when everything has landed')
    .option('--dir <dir>', 'make the sample repository here (default: a temporary folder)')
    .option('--seed <number>', 'what the simulated agents choose by', parseWhole, SEED)
    .action((options: Options) => demo(context(), runCommand, options))
  withExamples(command, 'axiom demo', 'axiom demo --exit', 'axiom demo --exit --json --dir ledger')
}

async function demo(context: Context, runCommand: RunCommand, { exit, dir, seed }: Options): Promise<void> {
  const { runDemo } = await import('./run-demo.ts')
  const runInside = createRunInside(context, runCommand)
  const where = dir === undefined ? {} : { dir }
  context.exit(await runDemo(context, { exit: exit === true, ...where, seed, runInside }))
}
