import { type CommandResult, runCommand } from '../../platform/process/run-command.ts'
import type { ProbeWorld } from './prerequisite.ts'

const TIMEOUT_MS = 20_000

/**
 * Runs a program for its output. `exitCode` is undefined when it could not be started or did not end in time.
 */
export async function askProgram(
  world: ProbeWorld,
  argv: readonly [string, ...string[]],
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string; result: CommandResult }> {
  const result = await runCommand({ argv, cwd: world.cwd, env: world.env, timeoutMs: TIMEOUT_MS })
  const exitCode = result.ending.kind === 'exited' ? result.ending.exitCode : undefined
  return { exitCode, stdout: result.stdout, stderr: result.stderr, result }
}

/**
 * A repository from an archive brings its own configuration; reading it must start no program named there.
 */
const NOTHING_STARTED = ['core.fsmonitor=false', 'core.hooksPath=/dev/null'].flatMap((setting) => [
  '-c',
  setting,
])

/**
 * The output of git, or undefined when it fails. It takes no lock, so that it never blocks the user's own
 * git, and fetches nothing.
 */
export async function askGit(world: ProbeWorld, ...args: readonly string[]): Promise<string | undefined> {
  const env = {
    ...world.env,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    LC_ALL: 'C',
  }
  const argv = ['git', ...NOTHING_STARTED, ...args] as const
  const { exitCode, stdout } = await askProgram({ cwd: world.cwd, env }, argv)
  return exitCode === 0 ? stdout : undefined
}
