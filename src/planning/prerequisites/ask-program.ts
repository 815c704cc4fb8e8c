import { type CommandResult, runCommand } from '../../platform/process/run-command.ts'
import type { ProbeWorld } from './prerequisite.ts'

const TIMEOUT_MS = 20_000

/** Starts a program for its answer. `exitCode` is undefined when it could not be started or did not end in time. */
export async function askProgram(
  world: ProbeWorld,
  argv: readonly [string, ...string[]],
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string; result: CommandResult }> {
  const result = await runCommand({ argv, cwd: world.cwd, env: world.env, timeoutMs: TIMEOUT_MS })
  const exitCode = result.ending.kind === 'exited' ? result.ending.exitCode : undefined
  return { exitCode, stdout: result.stdout, stderr: result.stderr, result }
}

/** The answer of git, or undefined when it has none. It takes no lock, so a person's own git is never in its way. */
export async function askGit(world: ProbeWorld, ...args: readonly string[]): Promise<string | undefined> {
  const env = { ...world.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  const { exitCode, stdout } = await askProgram({ cwd: world.cwd, env }, ['git', ...args])
  return exitCode === 0 ? stdout : undefined
}
