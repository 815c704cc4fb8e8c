import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { Failure, systemCode } from '../platform/failure.ts'
import { COMMANDS } from './command-table.ts'
import { type Context, createContext, type GlobalOptions } from './context.ts'
import { EXIT, type ExitCode, exitCodeFor } from './exit-code.ts'

/** Parses the arguments, runs one command, and turns whatever happened into output and an exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('axiom')
  const json = argv.includes('--json')
  try {
    const named = await describeProgram(program, argv)
    if (named === undefined && argv.length === 0) program.help({ error: true })
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, json)
  }
}

async function describeProgram(program: Command, argv: readonly string[]): Promise<string | undefined> {
  program
    .description('Runs many coding agents on one repository: nothing lost, nothing landed untested.')
    .option('--json', 'print data as JSON on standard output, and nothing else there')
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--non-interactive', 'never ask; a question takes its default')
    .version(await packageVersion(), '-V, --version')
    .showHelpAfterError('(add --help for the usage and examples)')
    .configureOutput({
      writeErr: (text) => (argv.includes('--json') ? undefined : process.stderr.write(text)),
    })
    .exitOverride()

  const named = COMMANDS.find((entry) => entry.name === typedCommand(argv))
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary)
    command.copyInheritedSettings(program)
    if (entry === named) (await entry.load()).define(command, () => contextOf(program))
  }
  return named?.name
}

/** The first word that is not an option, nor the value of `--cwd`. */
function typedCommand(argv: readonly string[]): string | undefined {
  return argv.find((word, i) => !word.startsWith('-') && argv[i - 1] !== '--cwd')
}

function contextOf(program: Command): Context {
  const options: GlobalOptions = program.opts()
  return createContext(options, resolve(options.cwd ?? '.'), (code) => {
    process.exitCode = code
  })
}

async function packageVersion(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function report(error: unknown, json: boolean): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok
    const message = error.message.replace(/^error: /, '')
    if (json) writeError('USAGE', message, 'add --help for the usage and examples')
    return EXIT.usage
  }
  if (error instanceof Failure) {
    if (json) writeError(error.code, error.message, error.hint)
    else process.stderr.write(`${error.code}: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`)
    return exitCodeFor(error.code)
  }
  if (systemCode(error) === 'EPIPE') return EXIT.ok
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (json) writeError('BUG', text, 'this is a defect of AXIOM; please report it')
  else process.stderr.write(`BUG: ${text}\n  This is a defect of AXIOM; please report it.\n`)
  return EXIT.failed
}

function writeError(code: string, message: string, hint: string): void {
  process.stderr.write(`${JSON.stringify({ error: { code, message, hint } })}\n`)
}
