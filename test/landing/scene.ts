import { execFileSync } from 'node:child_process'
import type { Case } from '../../src/cases/case.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { newDelivery } from '../../src/delivery/delivery-state.ts'
import { targetOfRecord } from '../../src/workspaces/integration-repository.ts'
import { openScene, type Scene, type SceneOptions } from '../hands-scene.ts'

export { sh } from '../git/scratch.ts'
export type { Scene } from '../hands-scene.ts'

export interface LandingScene extends Scene {
  /** Makes a task whose work, on this base, waits to be landed. */
  queue(
    name: string,
    files: Readonly<Record<string, string | undefined>>,
    more?: { base?: string; metadata?: Case['metadata']; dependsOn?: readonly string[] },
  ): Promise<{ task: string; commit: string }>
  /** The text of a file on the target of record. */
  show(path: string, revision?: string): string | undefined
  target(): Promise<string>
}

/** A project in which work waits to be landed, without agents having made it. */
export async function openLandingScene(options: SceneOptions = {}): Promise<LandingScene> {
  const scene = await openScene(options)
  const { git, integration } = scene.scratch.ground
  const target = (): Promise<string> => targetOfRecord(git, integration)
  return {
    ...scene,
    target,
    show(path, revision = 'main') {
      try {
        return execFileSync('git', ['show', `${revision}:${path}`], {
          cwd: integration.gitDir,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        return undefined
      }
    },
    async queue(name, files, more = {}) {
      const base = more.base ?? (await target())
      const commit = commitFiles(integration.gitDir, base, files, `feat: ${name}`)
      const made = await scene.store.transact({
        commands: [
          {
            kind: 'create',
            type: 'task',
            parentId: 'op-001',
            content: name,
            as: 't',
            ...(more.metadata ? { metadata: more.metadata } : {}),
            ...(more.dependsOn ? { dependsOn: more.dependsOn } : {}),
          },
          { kind: 'claim', id: '$t', stage: 'develop', holder: 'echo-001', ttlMs: 3_600_000 },
        ],
        by: 'user',
      })
      if (made.kind !== 'committed') throw new Error(JSON.stringify(made))
      const [task = ''] = made.created
      await scene.commit(...integrating(task, commit))
      return { task, commit }
    },
  }
}

export function integrating(task: string, commit: string): CaseCommand[] {
  const delivery = { ...newDelivery(), state: 'integrating', commit }
  return [
    { kind: 'update', id: task, metadata: { delivery } },
    { kind: 'move', id: task, status: 'review', reason: 'in the queue' },
  ]
}

/** A commit without a work tree; `undefined` removes a file. */
export function commitFiles(
  gitDir: string,
  parent: string,
  files: Readonly<Record<string, string | undefined>>,
  message: string,
): string {
  const env = {
    PATH: process.env.PATH,
    GIT_DIR: gitDir,
    GIT_INDEX_FILE: `${gitDir}/made-index`,
    GIT_AUTHOR_NAME: 'Echo',
    GIT_AUTHOR_EMAIL: 'echo@example.invalid',
    GIT_COMMITTER_NAME: 'Echo',
    GIT_COMMITTER_EMAIL: 'echo@example.invalid',
  }
  const git = (words: string[], input?: string): string =>
    execFileSync('git', words, { env, encoding: 'utf8', input }).trim()
  git(['read-tree', parent])
  const lines = Object.entries(files).map(([path, text]) =>
    text === undefined
      ? `0 ${'0'.repeat(40)}\t${path}\0`
      : `100644 ${git(['hash-object', '-w', '--stdin'], text)}\t${path}\0`,
  )
  git(['update-index', '-z', '--index-info'], lines.join(''))
  return git(['commit-tree', '-p', parent, '-m', message, git(['write-tree'])])
}
