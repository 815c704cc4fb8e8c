import { execFileSync } from 'node:child_process'
import type { HistoryCommit, PathChange } from './plan-history.ts'

const OUTPUT_BYTES_MAX = 512 * 1024 * 1024
const KINDS: Readonly<Record<string, PathChange['kind']>> = { A: 'added', D: 'removed' }

/** A commit with what makes an index out of its parent's: mode, object and path of everything it changed. */
export interface RecordedCommit extends HistoryCommit {
  readonly indexInfo: Buffer
}

/** Plain git, without anybody's configuration; names come and go as bytes, one character each. */
export function git(cwd: string, words: readonly string[], input?: Buffer | string): Buffer {
  return execFileSync('git', words, {
    cwd,
    input,
    maxBuffer: OUTPUT_BYTES_MAX,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ALLOW_PROTOCOL: 'file',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

export function gitText(cwd: string, words: readonly string[]): string {
  return git(cwd, words).toString('utf8').trim()
}

export interface History {
  /** What everything starts from. */
  readonly base: string
  /** The oldest first; those that changed nothing are left out. */
  readonly commits: readonly RecordedCommit[]
  /** The commit that the repository ends with. */
  readonly head: string
}

/** The last commits on the first parents of HEAD; the very first commit of a repository is what one starts from. */
export function readHistory(repository: string, count: number): History {
  const words = ['rev-list', '--first-parent', `--max-count=${count + 1}`, 'HEAD']
  const [head = '', ...older] = gitText(repository, words).split('\n')
  const all = [head, ...older].toReversed()
  const [base = head] = all
  const commits = all.slice(1).flatMap((commit, i) => {
    const recorded = readCommit(repository, all[i] ?? base, commit)
    return recorded.changes.length > 0 ? [recorded] : []
  })
  return { base, commits, head }
}

function readCommit(repository: string, parent: string, commit: string): RecordedCommit {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', parent, commit]
  const fields = git(repository, words).toString('latin1').split('\0')
  const removals: string[] = []
  const additions: string[] = []
  const changes: PathChange[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = '', , object = '', status = ''] = (fields[i] ?? '').split(' ')
    const path = fields[i + 1] ?? ''
    changes.push({ path, kind: KINDS[status] ?? 'changed' })
    if (status === 'D') removals.push(`0 ${object}\t${path}\0`)
    else additions.push(`${mode} ${object}\t${path}\0`)
  }
  const subject = gitText(repository, ['log', '-1', '--format=%s', commit]).slice(0, 150)
  return { commit, subject, changes, indexInfo: Buffer.from([...removals, ...additions].join(''), 'latin1') }
}
