import type { ChangedLines } from '../../delivery/review-contract.ts'
import type { Git, Repository } from '../../platform/git/git.ts'
import { mergeBaseOf } from '../../platform/git/repository-operations.ts'

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/
/** A larger diff is not read line by line: whole files count as touched. */
const DIFF_BYTES_MAX = 16 * 1024 * 1024
const WHOLE_FILE: readonly [number, number] = [1, Number.MAX_SAFE_INTEGER]

/** The commit that a change is compared with: where it left the target, however far that has moved since. */
export async function baseOf(
  git: Git,
  repository: Repository,
  target: string,
  commit: string,
): Promise<string> {
  return (await mergeBaseOf(git, repository, target, commit)) ?? target
}

/** The lines that a change touched, by path. A pure deletion counts as the lines on both sides of it. */
export async function changedLinesOf(
  git: Git,
  repository: Repository,
  base: string,
  commit: string,
): Promise<ChangedLines> {
  const form = ['-r', '-p', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv']
  const words = ['diff-tree', ...form, '--src-prefix=a/', '--dst-prefix=b/', base, commit, '--']
  const { stdout } = await git.run(repository, words, { settings: ['core.quotePath=false'] })
  if (stdout.length > DIFF_BYTES_MAX) return wholeFiles(git, repository, base, commit)
  return readDiff(stdout.toString('utf8'))
}

async function wholeFiles(
  git: Git,
  repository: Repository,
  base: string,
  commit: string,
): Promise<ChangedLines> {
  const words = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', base, commit, '--']
  const names = (await git.run(repository, words)).stdout.toString('utf8').split('\0')
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, [WHOLE_FILE]]))
}

/** Reads a diff without context. Only lines of its own grammar count: content always begins with a sign. */
export function readDiff(text: string): ChangedLines {
  const changed = new Map<string, (readonly [number, number])[]>()
  let path: string | undefined
  let old: string | undefined
  let isHeader = false
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      isHeader = true
      path = undefined
      old = undefined
    } else if (isHeader && line.startsWith('--- ')) old = pathOf(line.slice(4), 'a/')
    else if (isHeader && line.startsWith('+++ ')) path = pathOf(line.slice(4), 'b/') ?? old
    else if (line.startsWith('@@ ')) {
      isHeader = false
      const range = rangeOf(line)
      if (path !== undefined && range) changed.set(path, [...(changed.get(path) ?? []), range])
    }
  }
  return Object.fromEntries(changed)
}

function rangeOf(line: string): readonly [number, number] | undefined {
  const [, start, count] = HUNK.exec(line) ?? []
  if (start === undefined) return undefined
  const first = Number(start)
  const lines = count === undefined ? 1 : Number(count)
  return lines === 0 ? [first, first + 1] : [first, first + lines - 1]
}

/** Git quotes a path with unusual characters, and ends one with blanks by a tab. */
function pathOf(written: string, prefix: string): string | undefined {
  const text = written.replace(/\t$/, '')
  const path = text.startsWith('"') ? unquote(text) : text
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' }

function unquote(text: string): string {
  return text
    .slice(1, text.lastIndexOf('"'))
    .replace(/\\([0-7]{3}|.)/g, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped, 8)) : (ESCAPES[escaped] ?? escaped),
    )
}
