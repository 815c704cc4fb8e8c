import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { Failure } from '../platform/failure.ts'
import { COMMANDS } from './command-table.ts'
import { type Context, createContext, type GlobalOptions } from './context.ts'
import { withExamples } from './examples.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { openProject } from './open-project.ts'
import { packageVersion } from './package-version.ts'
import { reportError } from './report-error.ts'
import type { Terminal } from './terminal.ts'

const HELP_WIDTH = 80

/** Parses the arguments, runs one command, and turns every outcome into output and an exit code. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const json = argv.includes('--json')
  let exitCode: ExitCode = EXIT.ok
  try {
    const program = await describeProgram(argv, terminal)
    const context = () => contextOf(program.opts(), terminal, (code) => (exitCode = code))
    await defineTyped(program, argv, context)
    if (wordsOf(argv).length === 0) program.action(() => openProject(context()))
    await program.parseAsync(namesCommand(program, argv) ? argv : withoutHelp(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, json, terminal.stderr)
  }
}

async function describeProgram(argv: readonly string[], { stdout, stderr }: Terminal): Promise<Command> {
  const silent = argv.includes('--json')
  const program = new Command('axiom')
    .description('Runs many coding agents on one repository: nothing lost, nothing landed untested.')
    .option('--json', 'print data as JSON on standard output, and nothing else there')
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--non-interactive', 'never ask; a question takes its default')
    .version(await packageVersion(), '-V, --version')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => silent || stderr.write(text),
      // A usage error is printed once, in the form of every other error.
      outputError: () => undefined,
      getOutHelpWidth: () => stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? HELP_WIDTH,
    })
    .exitOverride()
  return withExamples(program, 'axiom init --yes', 'axiom status', 'axiom case --help')
}

/** Loads only the command that was typed; the others need just their names. */
async function defineTyped(program: Command, argv: readonly string[], context: () => Context): Promise<void> {
  const typed = typedCommand(argv)
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary)
    if (entry.name === typed) (await entry.load()).define(command, context, runCommand)
  }
}

/** The first word that is not an option, nor the value of `--cwd`; for `help WORD` that word. */
function typedCommand(argv: readonly string[]): string | undefined {
  const words = wordsOf(argv)
  return words[0] === 'help' ? words[1] : words[0]
}

/**
 * Whether the typed command exists. Showing another help text with exit code 0 would hide that it does not.
 */
function namesCommand(program: Command, argv: readonly string[]): boolean {
  const [first, second] = wordsOf(argv)
  if (first === undefined || first === 'help') return true
  const command = program.commands.find((one) => one.name() === first)
  if (command === undefined || second === undefined) return command !== undefined
  return (
    command.commands.length === 0 ||
    second === 'help' ||
    command.commands.some((one) => one.name() === second || one.aliases().includes(second))
  )
}

function withoutHelp(argv: readonly string[]): string[] {
  return argv.filter((word) => word !== '--help' && word !== '-h')
}

function wordsOf(argv: readonly string[]): string[] {
  return argv.filter((word, at) => !word.startsWith('-') && argv[at - 1] !== '--cwd')
}

function contextOf(options: GlobalOptions, terminal: Terminal, exit: (code: ExitCode) => void): Context {
  const cwd = resolve(terminal.cwd, options.cwd ?? '.')
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure('USAGE_CWD', `${cwd} is not a directory`, { hint: 'name one that exists: --cwd DIR' })
  }
  return createContext(options, terminal, cwd, exit)
}
