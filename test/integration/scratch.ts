import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CandidateGround, Entry } from '../../src/integration/entry.ts'
import { createGit } from '../../src/platform/git/git.ts'
import { commitTree } from '../../src/platform/git/repository-operations.ts'
import {
  fetchTarget,
  type IntegrationRepository,
  openIntegrationRepository,
  targetOfRecord,
} from '../../src/workspaces/integration-repository.ts'
import { removeFolder, sh, write } from '../git/scratch.ts'

export { sh, write }

export interface IntegrationScratch {
  readonly root: string
  /** The user's repository, with one commit on `main`, checked out. */
  readonly user: string
  readonly integration: IntegrationRepository
  readonly ground: CandidateGround
  /** The target's first commit. */
  readonly first: string
  /** A commit on a parent, made without a work tree; `undefined` removes a file. */
  commit(parent: string, files: Readonly<Record<string, string | Buffer | undefined>>): Promise<string>
  /** The text of a file in a commit, or nothing. */
  show(commit: string, path: string): string | undefined
  [Symbol.asyncDispose](): Promise<void>
}

const START_MS = 1_700_000_000_000

export async function openIntegrationScratch(
  files: Readonly<Record<string, string>>,
): Promise<IntegrationScratch> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-landing-')))
  const user = join(root, 'user')
  mkdirSync(user)
  write(user, files)
  sh(user, 'git init -q -b main && git add -A && git commit -qm first')
  const git = createGit(process.env.PATH ?? '')
  const integration = await openIntegrationRepository(join(root, 'axiom/integration.git'), 'main')
  await fetchTarget(git, integration, join(user, '.git'))
  let nowMs = START_MS
  const ground: CandidateGround = {
    git,
    repository: { gitDir: integration.gitDir, lasting: true },
    scratchDir: join(root, 'axiom/scratch'),
    now: () => (nowMs += 1_000),
    commitTypes: ['feat', 'fix'],
    protectedFolders: ['.axiom', '.workspaces'],
  }
  mkdirSync(ground.scratchDir)
  const first = await targetOfRecord(git, integration)
  return {
    ...{ root, user, integration, ground, first },
    commit: (parent, changed) => commitFiles(ground, parent, changed),
    show: (commit, path) => {
      try {
        return sh(integration.gitDir, `git show '${commit}:${path}'; echo .`).slice(0, -1)
      } catch {
        return undefined
      }
    },
    [Symbol.asyncDispose]: async () => removeFolder(root),
  }
}

let indexes = 0

async function commitFiles(
  { git, repository, scratchDir, now }: CandidateGround,
  parent: string,
  files: Readonly<Record<string, string | Buffer | undefined>>,
): Promise<string> {
  indexes += 1
  const place = { ...repository, indexFile: join(scratchDir, `made-${indexes}`) }
  await git.run(place, ['read-tree', parent])
  const lines: string[] = []
  for (const [path, content] of Object.entries(files)) {
    const words = ['hash-object', '-w', '--stdin']
    const object = content === undefined ? '0'.repeat(40) : await git.text(place, words, { input: content })
    lines.push(`${content === undefined ? '0' : '100644'} ${object}\t${path}\0`)
  }
  await git.run(place, ['update-index', '-z', '--index-info'], { input: lines.join('') })
  const tree = await git.text(place, ['write-tree'])
  const author = { name: 'agent', email: 'agent@example.invalid' }
  return commitTree(git, repository, { tree, parents: [parent], message: 'work\n', author, atMs: now() })
}

export function entry(task: string, source: string, more: Partial<Entry> = {}): Entry {
  return {
    ...{ task, source, agent: 'echo-001', fence: 1, type: 'feat', description: `Do ${task}`, dependsOn: [] },
    ...more,
  }
}
