import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sh } from '../git/scratch.ts'
import { openProcessProject, type Started } from './process-project.ts'
import { until } from './remote-scene.ts'

const keys = ['a', 'b', 'c', 'd']
const slow = keys.map((key) => ({ key, line: `sleep 1 && echo ${key} > ${key}` }))
const ALL = ['task-001', 'task-002', 'task-003', 'task-004']
const isAtWork = ({ said }: Started) => said.out.includes('"type":"case:claimed"')
const summaryOf = ({ said }: Started) => JSON.parse(said.out.trim().split('\n').at(-1) ?? '{}')

describe('two directors on one project', () => {
  it('one works, the other is told who does; nothing lands twice', async () => {
    await using project = await openProcessProject(slow)
    await project.plan()
    const first = project.run()
    await until(() => isAtWork(first))
    const second = project.run()
    expect(await second.ended).toBe(4)
    expect(second.said.err).toMatch(/DIRECTOR_RUNNING.*dex-001.*process \d+/)
    expect(await first.ended).toBe(0)
    expect(summaryOf(first)).toMatchObject({ done: 4, failed: 0 })
    expect(project.landed()).toEqual(ALL)
  })

  it('one that is stopped keeps its place, and goes on as if nothing had been when it is let', async () => {
    await using project = await openProcessProject(slow)
    await project.plan()
    const first = project.run()
    await until(() => isAtWork(first))
    first.signal('SIGSTOP')
    const second = project.run()
    expect(await second.ended).toBe(4)
    expect(second.said.err).toContain(`process ${first.pid}`)
    expect(second.said.err).toMatch(/STORE_OWNER_SILENT|DIRECTOR_RUNNING/)
    first.signal('SIGCONT')
    expect(await first.ended).toBe(0)
    expect(project.landed()).toEqual(ALL)
  })

  it('one that was killed is followed by the next at once, which finishes what it began', async () => {
    await using project = await openProcessProject(slow)
    await project.plan()
    const first = project.run()
    await until(() => first.said.out.includes('"type":"case:completed"'))
    first.signal('SIGKILL')
    await first.ended
    const [second, third] = [project.run(), project.run()]
    const codes = [await second.ended, await third.ended]
    expect(codes.toSorted()).toEqual([0, 4])
    expect(project.landed()).toEqual(ALL)
    expect(sh(project.user, 'cat a b c d; git status --porcelain')).toBe(keys.join('\n'))
  })
})

describe('a user who works in his repository while the queue runs', () => {
  it('commits after each landing, with staged and unstaged files: nothing of his or ours is reverted', async () => {
    const tasks = keys.map((key, i) => ({
      ...{ key, line: `echo ${key} > ${key}` },
      dependsOn: keys.slice(Math.max(0, i - 1), i),
    }))
    await using project = await openProcessProject(tasks)
    const { user, root } = project
    await project.plan()
    sh(user, 'git worktree add -q ../other -b other && echo draft >> readme.md')
    sh(user, 'echo staged > staged && git add staged')
    const run = project.run()
    let isOver = false
    const ended = run.ended.finally(() => (isOver = true))
    const landedHere = () =>
      sh(user, "git log --format='%(trailers:key=Task,valueonly)' main").match(/task-/g)
    let commits = 0
    await until(async () => {
      if ((landedHere()?.length ?? 0) > commits && tryCommit(user, `mine-${commits}`)) commits += 1
      if (commits === 1) rmSync(join(root, 'other'), { recursive: true, force: true })
      return isOver
    })
    expect(await ended, run.said.err).toBe(0)
    expect(commits).toBeGreaterThanOrEqual(keys.length - 1)
    expect(project.landed()).toEqual(ALL)
    const mine = Array.from({ length: commits }, (_, i) => `mine-${i}`)
    const files = sh(user, 'git ls-tree --name-only main').split('\n')
    expect(files).toEqual(expect.arrayContaining([...keys, ...mine, 'readme.md']))
    expect(sh(user, 'git log --format=%s main').split('\n')).toEqual(expect.arrayContaining(mine))
    expect(sh(user, 'git status --porcelain').split('\n')).toEqual(['M readme.md', 'A  staged'])
    expect(sh(user, 'cat readme.md staged')).toBe('A sample\ndraft\nstaged')
  })
})

/** He tries again when somebody else has the index just now. */
function tryCommit(user: string, name: string): boolean {
  try {
    sh(user, `echo ${name} > ${name} && git add ${name} && git commit -qm ${name} -- ${name}`)
    return true
  } catch {
    return false
  }
}

/** What a service does that merges by itself, under other words, as soon as a branch is there. */
const MERGE_AT_ONCE = `#!/bin/sh
export GIT_AUTHOR_NAME=R GIT_AUTHOR_EMAIL=r@example.invalid GIT_COMMITTER_NAME=R GIT_COMMITTER_EMAIL=r@example.invalid
while read -r old new ref; do
  case $ref in refs/heads/agent/*)
    tree=$(git merge-tree --write-tree main "$new") && commit=$(git commit-tree -p main -m "Squashed (#1)" "$tree") &&
    git update-ref refs/heads/main "$commit" && git update-ref -d "$ref" ;;
  esac
done
`

describe('a run whose work is landed by a remote', () => {
  it('ends when the remote has it all, each after what it depends on', async () => {
    const tasks = [
      { key: 'a', line: 'echo a > a' },
      { key: 'b', line: 'test -f a && echo b > b', dependsOn: ['a'] },
    ]
    await using project = await openProcessProject(tasks, { integration: { mode: 'pull-request' } })
    const { root, user } = project
    sh(root, 'git init -q --bare -b main remote.git')
    sh(user, 'git remote add origin ../remote.git && git push -q origin main')
    const hook = join(root, 'remote.git/hooks/post-receive')
    writeFileSync(hook, MERGE_AT_ONCE)
    chmodSync(hook, 0o755)
    // What he has not pushed is on no branch that counts, and stays his.
    sh(user, 'echo mine > mine && git add mine && git commit -qm mine')
    await project.plan()
    const run = project.run()
    expect(await run.ended, run.said.err).toBe(0)
    expect(summaryOf(run)).toMatchObject({ done: 2 })
    expect(sh(join(root, 'remote.git'), 'git ls-tree --name-only main').split('\n')).toEqual([
      ...['a', 'b', 'readme.md', 'src'],
    ])
    expect(sh(user, 'git log -1 --format=%s')).toBe('mine')
  })
})
