import { runCommand } from './run-command.ts'
import type { Terminal } from './terminal.ts'
import { watchStreams } from './watch-streams.ts'

/** Runs the command of this process. The process exits by itself once all output is written. */
export async function main(argv: readonly string[]): Promise<void> {
  const { stdout, stderr, env } = process
  watchStreams(argv.includes('--json'))
  const terminal: Terminal = {
    // Opening stdin takes time and makes it non-blocking, so it is opened only by a command that reads it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
  }
  const code = await runCommand(argv, terminal)
  // An output that failed in the meantime has set its own exit code.
  if (code !== 0) process.exitCode = code
}
