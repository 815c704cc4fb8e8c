import type { Context } from './context.ts'
import type { ExitCode } from './exit-code.ts'
import type { Output, Terminal } from './terminal.ts'

/** Passed in, because a command that imported the program would import every command. */
export type RunCommand = (argv: readonly string[], terminal: Terminal) => Promise<ExitCode>

/** Runs another command in a folder, by default in the environment of the running one. */
export type RunInside = (cwd: string, argv: readonly string[], env?: Context['env']) => Promise<InsideRun>

export interface InsideRun {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
}

/** How much of a command's output is kept: its end. */
const KEPT_CHARACTERS_MAX = 1_000_000

/**
 * Runs other AXIOM commands in this process as if the user had typed them, and captures their output: the
 * demo does nothing that the user could not do.
 */
export function createRunInside(context: Context, runCommand: RunCommand): RunInside {
  return async (cwd, argv, env = context.env) => {
    const stdout = keeper()
    const stderr = keeper()
    const code = await runCommand([...argv, '--cwd', cwd], {
      stdin: context.stdin,
      stdout: stdout.output,
      stderr: stderr.output,
      env: { ...env, NO_COLOR: '1', AXIOM_NON_INTERACTIVE: '1' },
      cwd,
    })
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }
}

function keeper(): { readonly output: Output; text(): string } {
  let kept = ''
  const write = (text: string): void => {
    kept = (kept + text).slice(-KEPT_CHARACTERS_MAX)
  }
  return { output: { write }, text: () => kept }
}
