import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createGit } from '../../src/platform/git/git.ts'
import { fetchTarget, openIntegrationRepository } from '../../src/workspaces/integration-repository.ts'
import { type Ground, openGround } from '../../src/workspaces/workspace.ts'

/** What a person or an agent does by hand in a repository of the tests: plain git, with its own identity. */
export function sh(cwd: string, line: string): string {
  return execFileSync('sh', ['-ec', line], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      // No folder can be made below it: as root, npm would make any other that is missing.
      HOME: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Person',
      GIT_AUTHOR_EMAIL: 'person@example.invalid',
      GIT_COMMITTER_NAME: 'Person',
      GIT_COMMITTER_EMAIL: 'person@example.invalid',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

export interface Scratch {
  readonly root: string
  /** The user's repository, with one commit on `main`. */
  readonly user: string
  readonly ground: Ground
  remove(): void
}

export const SAMPLE: Readonly<Record<string, string>> = {
  'readme.md': 'A sample\n',
  'src/add.js': 'export const add = (a, b) => a + b\n',
  '.gitignore': 'ignored/\n*.log\n',
}

/** A repository with one commit, its integration repository and the ground for workspaces, in a folder of its own. */
export async function openScratch(files = SAMPLE, parent = tmpdir()): Promise<Scratch> {
  const root = realpathSync(mkdtempSync(join(parent, 'axiom-git-')))
  const user = join(root, 'user')
  mkdirSync(user)
  write(user, files)
  sh(user, 'git init -q -b main && git add -A && git commit -qm first')
  return { root, user, ground: await groundFor(root, user), remove: () => removeFolder(root) }
}

export async function groundFor(root: string, user: string): Promise<Ground> {
  const git = createGit(process.env.PATH ?? '')
  const integration = await openIntegrationRepository(join(root, 'axiom/integration.git'), 'main')
  await fetchTarget(git, integration, join(user, '.git'))
  return openGround({
    git,
    integration,
    workspacesDir: join(root, 'workspaces'),
    observersDir: join(root, 'axiom/observers'),
    now: () => 1_700_000_000_000,
  })
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
