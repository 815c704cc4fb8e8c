import type { Command } from 'commander'
import { Failure } from '../../../platform/failure.ts'
import type { Context } from '../../context.ts'
import { withExamples } from '../../examples.ts'

interface Options {
  readonly from?: string
  readonly yes?: boolean
}

export function define(command: Command, context: () => Context): void {
  command
    .argument('[need]', 'the need, for a dialogue about it')
    .option('--from <file>', 'a ready plan as JSON (- for standard input)')
    .option('--yes', 'make the cases without asking')
    .action((need: string | undefined, options: Options) => plan(context(), need, options))
  withExamples(
    command,
    'axiom plan --from plan.json',
    'axiom plan --from plan.json --yes --json',
    'axiom plan --from - --yes < plan.json',
  )
}

async function plan(context: Context, need: string | undefined, { from, yes }: Options): Promise<void> {
  if (from !== undefined && need === undefined) {
    const { planFromFile } = await import('./plan-from-file.ts')
    return planFromFile(context, from, yes === true)
  }
  if (from !== undefined) {
    throw new Failure('USAGE', 'a need and --from were given together', {
      hint: 'a plan file holds its own need: leave the argument out',
    })
  }
  throw new Failure('USAGE_NO_DIALOGUE', 'planning as a dialogue is not part of this version', {
    hint: 'write the plan as a file: "axiom plan --from FILE --yes"; or make cases by hand: "axiom case create --help"',
  })
}
