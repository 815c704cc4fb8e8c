import { Failure } from '../../platform/failure.ts'
import { runCommand } from '../../platform/process/run-command.ts'
import type { ProbeWorld } from '../prerequisites/prerequisite.ts'
import type { Repository } from '../prerequisites/probe-git.ts'

const TIMEOUT_MS = 60_000
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
const OWN = /^\.(axiom|swarm|workspaces|worktrees)\//

/**
 * The files of the last commit; before the first one, those it would contain. Without AXIOM's own folders.
 */
export async function listFiles(world: ProbeWorld, repository: Repository): Promise<string[]> {
  const { head, root } = repository
  const args =
    head === undefined
      ? ['ls-files', '-z', '--others', '--cached', '--exclude-standard']
      : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', head]
  const { ending, stdout, stderr } = await runCommand({
    argv: ['git', ...args],
    cwd: root,
    env: world.env,
    timeoutMs: TIMEOUT_MS,
    outputMaxBytes: OUTPUT_MAX_BYTES,
  })
  if (ending.kind !== 'exited' || ending.exitCode !== 0) {
    throw new Failure('CHECKOUT_FAILED', `git cannot list the files of ${root}: ${stderr.trim()}`, {
      hint: 'see what `git status` says there',
    })
  }
  return [...new Set(stdout.split('\0'))].filter((path) => path !== '' && !OWN.test(path))
}
