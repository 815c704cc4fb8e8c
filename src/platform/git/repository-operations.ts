import { Failure } from '../failure.ts'
import { type ChangedPath, compareTrees } from './compare-trees.ts'
import { type Git, isLasting, type Repository } from './git.ts'
import { isObjectName } from './names.ts'
import { writeObject } from './write-object.ts'

/** The object name that means "no such ref" when git compares a ref before it moves it. */
const ABSENT = '0'.repeat(40)

/** The commit that a revision names, or nothing. */
export async function resolveCommit(
  git: Git,
  repository: Repository,
  revision: string,
): Promise<string | undefined> {
  return resolve(git, repository, `${revision}^{commit}`)
}

export async function treeOf(git: Git, repository: Repository, revision: string): Promise<string> {
  const tree = await resolve(git, repository, `${revision}^{tree}`)
  if (tree === undefined) throw new Failure('GIT_NO_TREE', `${revision} has no tree`)
  return tree
}

async function resolve(git: Git, repository: Repository, name: string): Promise<string | undefined> {
  if (isLasting(repository)) return (await git.read(repository, 'info', name))?.object
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', name]
  const { exitCode, stdout } = await git.run(repository, words, { expect: [0, 1, 128] })
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined
}

export interface RefMove {
  readonly ref: string
  readonly to: string
  /** The value the caller saw; `undefined`: the ref does not exist. */
  readonly from: string | undefined
}

/** Moves refs only if each still has the value the caller saw: all of them, or none. */
export async function moveRefs(
  git: Git,
  repository: Repository,
  moves: readonly RefMove[],
): Promise<'moved' | 'changed-meanwhile'> {
  const input = moves.map(({ ref, to, from }) => `update ${ref}\0${to}\0${from ?? ABSENT}\0`).join('')
  const words = ['update-ref', '--stdin', '-z']
  const { exitCode, stderr } = await git.run(repository, words, { input, expect: [0, 128] })
  if (exitCode === 0) return 'moved'
  if (/is at [0-9a-f]+ but expected|reference already exists|unable to resolve reference/.test(stderr)) {
    return 'changed-meanwhile'
  }
  throw new Failure('GIT_REF_REFUSED', `git would not move ${moves.map(({ ref }) => ref)}: ${stderr}`)
}

/** Refs below a prefix, with the objects they name. */
export async function listRefs(
  git: Git,
  repository: Repository,
  prefix: string,
): Promise<Map<string, string>> {
  const listed = await git.text(repository, ['for-each-ref', '--format=%(objectname) %(refname)', prefix])
  return new Map(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  )
}

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: { readonly name: string; readonly email: string }
  readonly atMs: number
}

/** A name that git accepts unchanged; it drops other characters, or refuses the name. */
const PLAIN_AUTHOR = /^[A-Za-z0-9][\w@-]*(?:\.\w+)*$/

export async function commitTree(git: Git, repository: Repository, commit: NewCommit): Promise<string> {
  const plain = [commit.author.name, commit.author.email].every((word) => PLAIN_AUTHOR.test(word))
  if (isLasting(repository) && plain) {
    return writeObject(repository, 'commit', Buffer.from(commitText(commit)), commit.tree)
  }
  const date = `@${Math.floor(commit.atMs / 1000)} +0000`
  const { name, email } = commit.author
  return git.text(
    repository,
    ['commit-tree', ...commit.parents.flatMap((parent) => ['-p', parent]), commit.tree],
    {
      input: commit.message,
      environment: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_COMMITTER_DATE: date,
      },
    },
  )
}

function commitText({ tree, parents, message, author, atMs }: NewCommit): string {
  const by = `${author.name} <${author.email}> ${Math.floor(atMs / 1000)} +0000`
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`]
  return `${[...lines, `committer ${by}`].join('\n')}\n\n${message}`
}

/**
 * Paths that differ between two trees, without rename detection: a rename is one removal and one addition.
 */
export async function changedPaths(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
): Promise<ChangedPath[]> {
  if (isLasting(repository)) return compareTrees(git, repository, from, to)
  const words = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, '--']
  const fields = (await git.run(repository, words)).stdout.toString('utf8').split('\0')
  const changes: ChangedPath[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    changes.push({ status: fields[i] as ChangedPath['status'], path: fields[i + 1] ?? '' })
  }
  return changes
}

/** The bytes of a file in a tree, or nothing when there is no such file. */
export async function readBlob(
  git: Git,
  repository: Repository,
  revision: string,
  path: string,
): Promise<Buffer | undefined> {
  const words = ['cat-file', 'blob', `${revision}:${path}`]
  const { exitCode, stdout } = await git.run(repository, words, { expect: [0, 128] })
  return exitCode === 0 ? stdout : undefined
}

/** An agent's few commits are followed back one by one; only a longer chain needs a git process. */
const STEPS_BACK_MAX = 32

export async function isAncestor(
  git: Git,
  repository: Repository,
  older: string,
  newer: string,
): Promise<boolean> {
  if (await isStepsBack(git, repository, older, newer)) return true
  const words = ['merge-base', '--is-ancestor', older, newer]
  return (await git.run(repository, words, { expect: [0, 1] })).exitCode === 0
}

/** The merge base of two commits; undefined when they have no history in common. */
export async function mergeBaseOf(
  git: Git,
  repository: Repository,
  older: string,
  newer: string,
): Promise<string | undefined> {
  if (await isStepsBack(git, repository, older, newer)) return older
  const answer = await git.run(repository, ['merge-base', older, newer], { expect: [0, 1] })
  return answer.exitCode === 0 ? answer.stdout.toString('utf8').trim() : undefined
}

/** Whether a few steps back from one commit lead to the other, found without starting a git process. */
async function isStepsBack(git: Git, repository: Repository, older: string, newer: string): Promise<boolean> {
  if (!isLasting(repository)) return false
  let commit: string | undefined = newer
  for (let step = 0; step < STEPS_BACK_MAX && commit !== undefined; step += 1) {
    if (commit === older) return true
    commit = firstParentIn((await git.read(repository, 'contents', commit))?.content)
  }
  return false
}

function firstParentIn(commit: Buffer | undefined): string | undefined {
  return /^tree [0-9a-f]+\nparent ([0-9a-f]+)\n/.exec(commit?.toString('latin1') ?? '')?.[1]
}

/** Whether a commit exists with its whole history; commits that a ref reaches already count as complete. */
export async function isWhole(git: Git, repository: Repository, commit: string): Promise<boolean> {
  const words = ['rev-list', '--objects', '--quiet', commit, '--not', '--all']
  return (await git.run(repository, words, { expect: [0, 1, 128] })).exitCode === 0
}

/** Whether a ref reaches a commit, so that it is never garbage-collected. */
export async function isReferenced(git: Git, repository: Repository, commit: string): Promise<boolean> {
  const words = ['rev-list', '--max-count=1', commit, '--not', '--all']
  const { exitCode, stdout } = await git.run(repository, words, { expect: [0, 128] })
  return exitCode === 0 && stdout.length === 0
}

/** The parents of commits, read from the objects themselves. */
export async function parentsOf(
  git: Git,
  repository: Repository,
  commits: readonly string[],
): Promise<string[]> {
  const { stdout } = await git.run(repository, ['cat-file', '--batch'], {
    input: commits.map((commit) => `${commit}\n`).join(''),
  })
  const parents: string[] = []
  for (let at = 0; at < stdout.length; ) {
    const lineEnd = stdout.indexOf('\n', at)
    const size = Number(stdout.toString('latin1', at, lineEnd).split(' ')[2])
    if (lineEnd < 0 || !Number.isInteger(size)) break
    const header = stdout.toString('latin1', lineEnd + 1, lineEnd + 1 + size).split('\n\n', 1)[0] ?? ''
    for (const [, parent = ''] of header.matchAll(/^parent ([0-9a-f]+)$/gm)) parents.push(parent)
    at = lineEnd + 1 + size + 1
  }
  return parents
}

export interface TreeEntry {
  readonly mode: string
  readonly object: string
  readonly path: string
}

/** Every entry of a tree that is no directory. */
export async function listTree(git: Git, repository: Repository, revision: string): Promise<TreeEntry[]> {
  const listed = (await git.run(repository, ['ls-tree', '-r', '-z', '--full-tree', revision])).stdout
  return parseEntries(listed.toString('utf8'), /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/)
}

function parseEntries(text: string, form: RegExp): TreeEntry[] {
  return text
    .split('\0')
    .map((record) => form.exec(record))
    .filter((match) => match !== null)
    .map(([, mode = '', object = '', path = '']) => ({ mode, object, path }))
}

/** The type of each object, for names that may not exist: one answer per name. */
export async function objectTypes(
  git: Git,
  repository: Repository,
  names: readonly string[],
): Promise<Map<string, string>> {
  const asked = names.filter(isObjectName)
  if (asked.length === 0) return new Map()
  const answer = await git.text(repository, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: asked.map((name) => `${name}\n`).join(''),
  })
  return new Map(
    answer
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(' missing'))
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  )
}
