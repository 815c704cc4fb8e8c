import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import { createGit } from '../../src/platform/git/git.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { fetchTarget, openIntegrationRepository } from '../../src/workspaces/integration-repository.ts'
import { type Ground, openGround } from '../../src/workspaces/workspace.ts'
import { type Ran, run } from '../cli/axiom.ts'
import { sh, write } from '../git/scratch.ts'
import { commitFiles } from './scene.ts'

/** A user's repository with a project in it, as commands find it. */
export interface LandedProject extends Disposable {
  readonly user: string
  readonly ground: Ground
  run(...argv: readonly string[]): Promise<Ran>
  /** The one JSON value that a command prints. */
  json<Value>(...argv: readonly string[]): Promise<Value>
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>
  commit(...commands: CaseCommand[]): Promise<void>
  /** Puts a task's change onto the target of record and onto the user's branch. */
  land(task: string, files: Readonly<Record<string, string | undefined>>): Promise<string>
}

export async function openLandedProject(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<LandedProject> {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-landed-')))
  write(user, files)
  sh(user, 'git init -q -b main && git add -A && git commit -qm first')
  mkdirSync(join(user, '.axiom'))
  writeFileSync(join(user, '.axiom/.gitignore'), '*\n')
  writeFileSync(join(user, '.axiom/config.json'), JSON.stringify(config))
  const git = createGit(process.env.PATH ?? '')
  const ground = await openGround({
    git,
    integration: await openIntegrationRepository(join(user, '.axiom/integration.git'), 'main'),
    workspacesDir: join(user, AXIOM.workspaces),
    observersDir: join(user, '.axiom/observers'),
    now: Date.now,
  })
  await fetchTarget(git, ground.integration, join(user, '.git'))
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ folder: join(user, '.axiom'), purpose: 'tests' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  const start = (...argv: readonly string[]) => run(user, argv, { PATH: process.env.PATH ?? '', HOME: user })
  return {
    user,
    ground,
    withStore,
    run: start,
    async json(...argv) {
      const ran = await start(...argv, '--json')
      if (ran.code !== 0) throw new Error(`${ran.code}: ${ran.stderr}`)
      return JSON.parse(ran.stdout)
    },
    commit: (...commands) =>
      withStore(async (store) => {
        const answer = await store.transact({ commands, by: 'user' })
        if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
      }),
    async land(task, changed) {
      const { gitDir } = ground.integration
      const target = sh(gitDir, 'git rev-parse main')
      const message = `feat: ${task} #${task} @echo-001\n\nTask: ${task}\nAgent: echo-001\nFence: 1\nSource: ${target}`
      const commit = commitFiles(gitDir, target, changed, message)
      sh(gitDir, `git update-ref refs/heads/main ${commit}`)
      sh(user, `git pull -q --ff-only ${gitDir} main`)
      return commit
    },
    [Symbol.dispose]: () => rmSync(user, { recursive: true, force: true }),
  }
}
