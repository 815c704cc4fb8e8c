import type { Command } from 'commander'
import { parseWhole } from '../arguments.ts'
import type { Context } from '../context.ts'
import { withExamples } from '../examples.ts'

interface Options {
  readonly exit?: boolean
  readonly dir?: string
  readonly seed: number
}

const SEED = 7

export function define(command: Command, context: () => Context): void {
  command
    .option('--exit', 'end when everything has landed')
    .option('--dir <dir>', 'make the sample repository here (default: a temporary folder)')
    .option('--seed <number>', 'what the simulated agents choose by', parseWhole, SEED)
    .action((options: Options) => demo(context(), options))
  withExamples(command, 'axiom demo', 'axiom demo --exit', 'axiom demo --exit --json --dir ledger')
}

async function demo(context: Context, { exit, dir, seed }: Options): Promise<void> {
  const { runDemo } = await import('../demo/run-demo.ts')
  context.exit(await runDemo(context, { exit: exit === true, ...(dir === undefined ? {} : { dir }), seed }))
}
