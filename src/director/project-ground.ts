import { join } from 'node:path'
import type { Git } from '../platform/git/git.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { openIntegrationRepository } from '../workspaces/integration-repository.ts'
import { type Ground, openGround } from '../workspaces/workspace.ts'

export interface GroundOptions {
  readonly root: string
  readonly vocabulary: Vocabulary
  readonly git: Git
  readonly target: string
  readonly now: () => number
}

/** Where a project's integration repository, its workspaces and the notes about them lie. */
export async function openProjectGround({
  root,
  vocabulary,
  git,
  target,
  now,
}: GroundOptions): Promise<Ground> {
  const folder = join(root, vocabulary.folder)
  return openGround({
    git,
    integration: await openIntegrationRepository(join(folder, 'integration.git'), target),
    workspacesDir: join(root, vocabulary.workspaces),
    observersDir: join(folder, 'observers'),
    now,
  })
}
