import type { Feedback } from '../../personas/prompt-input.ts'
import { isAncestor } from '../../platform/git/repository-operations.ts'
import { exportHead } from '../../workspaces/export-commits.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { RunWorld } from '../run-world.ts'

const MERGE_TIMEOUT_MS = 120_000
const OUTPUT_CHARACTERS_MAX = 4_000

/**
 * Merges the target of record into a kept workspace where that causes no conflict: work that was sent back
 * because of a later landing can only be finished on top of it. Git runs in the sandbox, because an agent has
 * written to the workspace. Returns what the agent has to know about it.
 */
export async function takeInTarget(world: RunWorld, workspace: Workspace): Promise<Feedback[]> {
  const { ground, runLine } = world
  const { git, integration } = ground
  const target = await targetOfRecord(git, integration)
  const exported = await exportHead(ground, workspace)
  if (exported.kind === 'refused' || (await isAncestor(git, integration, target, exported.commit))) return []
  const message = 'Take in what has landed'
  const merged = await runLine({
    line: `git merge --quiet --no-edit -m "${message}" ${target} || { git merge --abort; exit 1; }`,
    cwd: workspace.path,
    environment: {},
    timeoutMs: MERGE_TIMEOUT_MS,
  })
  const origin = 'the director'
  if (merged.ending.kind === 'exited' && merged.ending.exitCode === 0) {
    const text = `What has landed since you began is merged into your branch (${target}). Look at it, run the checks, and hand your work in again.`
    return [{ kind: 'finding', title: 'The target has moved', origin, text }]
  }
  const output = `${merged.stdout}${merged.stderr}`.slice(-OUTPUT_CHARACTERS_MAX)
  const text = `What has landed since you began does not go together with your work. Merge it yourself: git merge ${target}\n${output}`
  return [{ kind: 'finding', title: 'The target has moved', origin, text }]
}
