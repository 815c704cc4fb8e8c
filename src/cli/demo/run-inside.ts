import type { Context } from '../context.ts'
import type { ExitCode } from '../exit-code.ts'
import { runCommand } from '../run-command.ts'
import type { Output } from '../terminal.ts'

export interface InsideRun {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
}

/** What a command prints is kept to this many characters, the last ones. */
const KEPT_CHARACTERS_MAX = 1_000_000

/**
 * Runs another command of AXIOM as if a person had typed it, in this process and with its output kept: the demo does
 * nothing that its viewer could not do.
 */
export async function runInside(
  context: Context,
  cwd: string,
  argv: readonly string[],
  env: Context['env'] = context.env,
): Promise<InsideRun> {
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

function keeper(): { readonly output: Output; text(): string } {
  let kept = ''
  const write = (text: string): void => {
    kept = (kept + text).slice(-KEPT_CHARACTERS_MAX)
  }
  return { output: { write }, text: () => kept }
}
