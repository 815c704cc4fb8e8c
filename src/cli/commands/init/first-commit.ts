import { Failure } from '../../../platform/failure.ts'
import { runCommand } from '../../../platform/process/run-command.ts'
import type { Start } from './start.ts'

const TIMEOUT_MS = 120_000

/**
 * An agent needs a commit to start from. The files are the user's, so only explicit consent commits them:
 * `--yes` alone does not.
 */
export async function makeFirstCommit({
  asker,
  options,
  repository,
  world,
}: Start): Promise<'there' | 'made' | 'missing'> {
  if (repository.head !== undefined) return 'there'
  const question = 'The repository has no commit yet. Commit all files that git does not ignore?'
  if (!(options.firstCommit ?? (await asker.confirm(question, false)))) return 'missing'
  const git = async (...args: readonly string[]): Promise<void> => {
    const argv = ['git', ...args] as const
    const { ending, stderr } = await runCommand({
      argv,
      cwd: repository.root,
      env: world.env,
      timeoutMs: TIMEOUT_MS,
    })
    if (ending.kind === 'exited' && ending.exitCode === 0) return
    throw new Failure('PREREQ_NO_COMMIT', `the first commit could not be made: ${stderr.trim()}`, {
      hint: 'commit by hand: git add --all && git commit; what was set up is kept',
    })
  }
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message', 'Start')
  return 'made'
}
