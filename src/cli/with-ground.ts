import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { Failure } from '../platform/failure.ts'
import { kindOf } from '../platform/files/read-regular-file.ts'
import { createGit, type Git } from '../platform/git/git.ts'
import type { Store } from '../store/store.ts'
import { openIntegrationRepository } from '../workspaces/integration-repository.ts'
import { gitDirectories } from '../workspaces/repository-fingerprint.ts'
import type { SeenGround } from '../workspaces/workspace.ts'
import type { Context } from './context.ts'
import { loadConfig } from './load-config.ts'
import { type Project, withStore } from './project.ts'

/** A project's store and git, for commands about what landed or will land. */
export interface LandedProject extends Project {
  readonly store: Store
  readonly config: Config
  readonly ground: SeenGround
  /** The git directory that all work trees of the user's repository share. */
  readonly userGitDir: string
}

export function withGround<Result>(
  context: Context,
  purpose: string,
  work: (project: LandedProject) => Promise<Result>,
  /** The result for a project in which no work has started; without it that is a failure. */
  answerUntouched?: (target: string) => Result,
): Promise<Result> {
  return withStore(context, purpose, async (store, project) => {
    const { config } = await loadConfig(project.folder, { env: context.env })
    const git = createGit(context.env.PATH ?? '')
    const { gitDir, commonDir } = await gitDirectories(project.root)
    if ((await kindOf(`${project.folder}/integration.git`)) === 'absent') {
      if (answerUntouched) return answerUntouched(config.integration.target ?? '')
      throw new Failure('GIT_NO_TARGET', 'nothing was worked on in this project yet, so nothing has landed', {
        hint: '"axiom case ready" shows what can be begun',
      })
    }
    const target = config.integration.target ?? (await checkedOut(git, gitDir))
    const integration = await openIntegrationRepository(join(project.folder, 'integration.git'), target)
    const observersDir = join(project.folder, 'observers')
    await mkdir(observersDir, { recursive: true })
    const ground = { git, integration, observersDir }
    return work({ ...project, store, config, ground, userGitDir: commonDir })
  })
}

async function checkedOut(git: Git, gitDir: string): Promise<string> {
  const words = ['symbolic-ref', '--short', 'HEAD']
  const { exitCode, stdout } = await git.run({ gitDir }, words, { expect: [0, 1, 128] })
  if (exitCode === 0) return stdout.toString('utf8').trim()
  throw new Failure('GIT_NO_TARGET', 'no branch is checked out, and none is configured to land on', {
    hint: 'axiom config set integration.target main',
  })
}
