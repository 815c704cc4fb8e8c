import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '../../src/platform/git/git.ts'
import {
  changedPaths,
  commitTree,
  isAncestor,
  resolveCommit,
} from '../../src/platform/git/repository-operations.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { inspectWorkspace } from '../../src/workspaces/inspect-workspace.ts'
import { targetOfRecord } from '../../src/workspaces/integration-repository.ts'
import { seeded } from '../model/generate-commands.ts'
import { runnerFor } from './sandbox.ts'
import { openScratch, type Scratch, sh, write } from './scratch.ts'

const TREES = 40
const FILES = 150

let scratch: Scratch
beforeEach(async () => {
  scratch = await openScratch()
})
afterEach(() => scratch.remove())

describe('what is read without starting git', () => {
  it('names the same changes as git does, whatever two trees hold', async () => {
    const { user } = scratch
    const random = seeded(7)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const names = ['a', 'b', 'a.c', 'ab', 'B', 'ü', 'x y', '-f']
    const trees: string[] = []
    for (let i = 0; i < TREES; i += 1) {
      sh(user, 'git rm -rfq --cached . || true; git clean -fdxq -e .git')
      const lines = Array.from({ length: 12 }, () => {
        const path = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(names)).join('/')
        const mode = pick(['100644', '100644', '100755', '120000', '160000'])
        return `${mode} ${String(Math.floor(random() * 3) + 1).repeat(40)}\t${path}`
      })
      write(user, { '.git/lines': `${lines.join('\n')}\n` })
      trees.push(
        sh(user, 'rm -f .git/index; git update-index --index-info < .git/lines; git write-tree --missing-ok'),
      )
    }
    sh(user, `for t in ${trees.join(' ')}; do git cat-file tree $t > /dev/null; done`)
    const lasting = { gitDir: join(user, '.git'), lasting: true } as const
    const git = createGit(process.env.PATH ?? '')
    for (const [i, to] of trees.entries()) {
      const from = trees[(i + 1) % TREES] ?? to
      const own = await changedPaths(git, lasting, from, to)
      expect(own).toEqual(await changedPaths(git, { gitDir: lasting.gitDir }, from, to))
    }
  })

  it('makes the commit that git would make, to the byte', async () => {
    const { git, integration } = scratch.ground
    const base = await targetOfRecord(git, integration)
    const commit = {
      tree: sh(integration.gitDir, `git rev-parse ${base}^{tree}`),
      parents: [base],
      message: 'feat: straße ☂ #task-001 @echo-001\n\nTask: task-001\n',
      author: { name: 'echo-001', email: 'echo-001@axiom.invalid' },
      atMs: 1_700_000_000_123,
    }
    const own = await commitTree(git, integration, commit)
    expect(own).toBe(await commitTree(git, { gitDir: integration.gitDir }, commit))
    expect(sh(integration.gitDir, `git fsck --strict && git cat-file -t ${own}`)).toContain('commit')
  })

  it('sees refs and objects that came after the first question, and says when there are none', async () => {
    const { git, integration } = scratch.ground
    expect(await resolveCommit(git, integration, 'refs/heads/later')).toBeUndefined()
    const base = await targetOfRecord(git, integration)
    const next = sh(integration.gitDir, `git commit-tree -p ${base} -m next ${base}^{tree}`)
    sh(integration.gitDir, `git update-ref refs/heads/later ${next} && git pack-refs --all`)
    expect(await resolveCommit(git, integration, 'refs/heads/later')).toBe(next)
    expect(await isAncestor(git, integration, base, next)).toBe(true)
    expect(await isAncestor(git, integration, next, base)).toBe(false)
    sh(integration.gitDir, `git update-ref -d refs/heads/later`)
    expect(await resolveCommit(git, integration, 'refs/heads/later')).toBeUndefined()
    await expect(resolveCommit(git, integration, 'one\ntwo')).rejects.toMatchObject({
      code: 'GIT_UNSAFE_NAME',
    })
  })

  it('answers many questions at once, each with its own answer', async () => {
    const { git, integration } = scratch.ground
    const base = await targetOfRecord(git, integration)
    const names = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? base : `refs/heads/no-${i}`))
    const answers = await Promise.all(names.map((name) => resolveCommit(git, integration, name)))
    expect(answers).toEqual(names.map((name) => (name === base ? base : undefined)))
  })
})

describe('a fresh checkout', () => {
  const many = Object.fromEntries(
    Array.from({ length: FILES }, (_, i) => [`src/file-${i}.js`, `// ${i}\n`.padEnd(20)]),
  )

  it('gives an agent’s first "git add" nothing to write', async () => {
    write(scratch.user, many)
    sh(scratch.user, 'git add -A && git commit -qm many')
    const { ground } = scratch
    const base = sh(scratch.user, 'git rev-parse HEAD')
    sh(ground.integration.gitDir, `git fetch -q ${scratch.user} main:later`)
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0, base })
    const run = runnerFor(scratch)
    const line = 'git add -A && find .git/objects -type f | grep -v info | wc -l && git status --porcelain'
    const { stdout, stderr } = await run({
      line,
      cwd: workspace.path,
      environment: {},
      timeoutMs: 60_000,
    })
    expect(`${stdout}${stderr}`.trim()).toBe('0')
  })

  it('shows a change of the same size in the same second, to the agent and to AXIOM', async () => {
    const { ground } = scratch
    const workspace = await createWorkspace(ground, { agent: 'echo-001', task: 'task-001', slot: 0 })
    const before = statSync(join(workspace.path, 'readme.md'))
    write(workspace.path, { 'readme.md': 'B sample\n' })
    expect(statSync(join(workspace.path, 'readme.md')).size).toBe(before.size)
    expect(sh(workspace.path, 'git status --porcelain')).toBe('M readme.md')
    expect((await inspectWorkspace(ground, workspace)).uncommitted).toEqual([
      { status: 'M', path: 'readme.md' },
    ])
  })
})
