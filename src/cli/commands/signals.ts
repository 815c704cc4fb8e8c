import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { Failure, systemCode } from '../../platform/failure.ts'
import { ROLES, type Role } from '../../signals/definition.ts'
import type { Finding } from '../../signals/finding.ts'
import { inOrder, SignalParser } from '../../signals/signal-parser.ts'
import { AXIOM_SIGNAL_NAMES, SWARM_SIGNAL_NAMES } from '../../vocabulary/signal-names.ts'
import type { Context } from '../context.ts'
import { jsonText } from '../render/json-text.ts'

const VOCABULARIES = { axiom: AXIOM_SIGNAL_NAMES, swarm: SWARM_SIGNAL_NAMES }

interface Options {
  readonly role?: Role
  readonly task?: string
  readonly vocabulary: keyof typeof VOCABULARIES
}

const EXAMPLES = `
Prints one JSON object per line: what was understood, and what was not, in the order of the text.

Examples:
  axiom signals transcript.txt
  echo '<axiom>PROGRESS:75</axiom>' | axiom signals
  axiom signals answer.txt --role critic --task task-042`

export function define(command: Command, context: () => Context): void {
  command
    .argument('[file]', 'what an agent said, as one message; - reads standard input', '-')
    .addOption(new Option('--role <role>', 'refuse what this role may not send').choices(ROLES))
    .option('--task <id>', 'refuse what concerns another task')
    .addOption(
      new Option('--vocabulary <name>', 'the words the agent speaks in')
        .choices(Object.keys(VOCABULARIES))
        .default('axiom'),
    )
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: Options) => showSignals(file, options, context()))
}

async function showSignals(
  file: string,
  { role, task, vocabulary }: Options,
  context: Context,
): Promise<void> {
  const parser = new SignalParser({ names: VOCABULARIES[vocabulary], role, task })
  const findings: Finding[] = []
  for await (const chunk of openInput(file, context)) findings.push(...parser.feed(chunk))
  findings.push(...parser.end())
  for (const finding of inOrder(findings)) context.out(jsonText(finding))
  if (!context.json) context.err(summaryOf(findings))
}

async function* openInput(file: string, context: Context): AsyncGenerator<Uint8Array | string> {
  try {
    yield* file === '-' ? context.stdin : createReadStream(resolve(context.cwd, file))
  } catch (error) {
    if (systemCode(error) === '') throw error
    const hint = 'Give the path of a readable file, or - for standard input.'
    throw new Failure('USAGE', `${file} cannot be read: ${systemCode(error)}`, { hint, cause: error })
  }
}

function summaryOf(findings: readonly Finding[]): string {
  const signals = findings.filter(({ kind }) => kind === 'signal').length
  const problems = findings.length - signals
  return `${signals} ${signals === 1 ? 'signal' : 'signals'}, ${problems} ${problems === 1 ? 'problem' : 'problems'}`
}
