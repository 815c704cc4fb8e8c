import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { Failure } from '../platform/failure.ts'
import { COMMANDS } from './command-table.ts'
import { type Context, createContext, type GlobalOptions } from './context.ts'
import { withExamples } from './examples.ts'
import { reportError } from './report-error.ts'
import { watchStreams } from './watch-streams.ts'

/** Parses the arguments, runs one command, and turns whatever happened into output and an exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json')
  watchStreams(json)
  try {
    const program = await describeProgram(argv, json)
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error, json)
  }
}

async function describeProgram(argv: readonly string[], json: boolean): Promise<Command> {
  const program = new Command('axiom')
    .description('Runs many coding agents on one repository: nothing lost, nothing landed untested.')
    .option('--json', 'print data as JSON on standard output, and nothing else there')
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--non-interactive', 'never ask; a question takes its default')
    .version(await packageVersion(), '-V, --version')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      // What a usage error says is printed once, in the form of every other error.
      outputError: () => undefined,
      writeErr: (text) => json || process.stderr.write(text),
    })
    .exitOverride()
  withExamples(program, 'axiom init --yes', 'axiom status', 'axiom case --help')

  const typed = typedCommand(argv)
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary)
    if (entry.name === typed) (await entry.load()).define(command, () => contextOf(program))
  }
  return program
}

/** The first word that is not an option, nor the value of `--cwd`; for `help WORD` that word. */
function typedCommand(argv: readonly string[]): string | undefined {
  const words = argv.filter((word, at) => !word.startsWith('-') && argv[at - 1] !== '--cwd')
  return words[0] === 'help' ? words[1] : words[0]
}

function contextOf(program: Command): Context {
  const options: GlobalOptions = program.opts()
  const cwd = resolve(options.cwd ?? '.')
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure('USAGE_CWD', `${cwd} is not a directory`, { hint: 'name one that exists: --cwd DIR' })
  }
  return createContext(options, cwd, (code) => {
    process.exitCode = code
  })
}

async function packageVersion(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
