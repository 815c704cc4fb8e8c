import { runCommand } from './run-command.ts'
import { watchStreams } from './watch-streams.ts'

/** Runs the command that the process was started with. It ends by itself, when all output is written. */
export async function main(argv: readonly string[]): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  watchStreams(argv.includes('--json'))
  const code = await runCommand(argv, { stdin, stdout, stderr, env, cwd: process.cwd() })
  // An output that failed in the meantime has set its own code.
  if (code !== 0) process.exitCode = code
}
