import { Failure } from '../failure.ts'
import type { Git, LastingRepository } from './git.ts'

export interface ChangedPath {
  readonly status: 'A' | 'D' | 'M' | 'T'
  readonly path: string
}

interface Entry {
  readonly mode: string
  readonly object: string
}

const DIRECTORY = '40000'
const NO_ENTRIES: ReadonlyMap<string, Entry> = new Map()

/**
 * Paths that differ between two trees, as `git diff-tree -r --no-renames` names them, without a new process.
 */
export async function compareTrees(
  git: Git,
  repository: LastingRepository,
  from: string,
  to: string,
): Promise<ChangedPath[]> {
  const [before, after] = await Promise.all([rootOf(git, repository, from), rootOf(git, repository, to)])
  const changes: ChangedPath[] = []
  await new Comparison(git, repository, changes).compare('', before, after)
  // Up to this point one character is one byte, so that names stay distinct and the order is git's.
  return changes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, status }) => ({ status, path: Buffer.from(path, 'latin1').toString('utf8') }))
}

async function rootOf(git: Git, repository: LastingRepository, revision: string): Promise<Entry> {
  const found = await git.read(repository, 'info', `${revision}^{tree}`)
  if (found) return { mode: DIRECTORY, object: found.object }
  throw new Failure('GIT_NO_TREE', `${revision} has no tree`)
}

class Comparison {
  readonly #git: Git
  readonly #repository: LastingRepository
  readonly #changes: ChangedPath[]

  constructor(git: Git, repository: LastingRepository, changes: ChangedPath[]) {
    this.#git = git
    this.#repository = repository
    this.#changes = changes
  }

  async compare(path: string, before: Entry | undefined, after: Entry | undefined): Promise<void> {
    if (before?.object === after?.object && before?.mode === after?.mode) return
    const [inBefore, inAfter] = await Promise.all([this.#open(before), this.#open(after)])
    if (!isFolder(before) || !isFolder(after)) this.#noteFile(path, before, after)
    for (const name of new Set([...inBefore.keys(), ...inAfter.keys()])) {
      await this.compare(path === '' ? name : `${path}/${name}`, inBefore.get(name), inAfter.get(name))
    }
  }

  #noteFile(path: string, before: Entry | undefined, after: Entry | undefined): void {
    const [old, young] = [before, after].map((entry) => (isFolder(entry) ? undefined : entry))
    if (old && young)
      this.#changes.push({ path, status: kindOf(old.mode) === kindOf(young.mode) ? 'M' : 'T' })
    else if (old) this.#changes.push({ path, status: 'D' })
    else if (young) this.#changes.push({ path, status: 'A' })
  }

  async #open(entry: Entry | undefined): Promise<ReadonlyMap<string, Entry>> {
    if (!entry || !isFolder(entry)) return NO_ENTRIES
    const tree = await this.#git.read(this.#repository, 'contents', entry.object)
    if (tree?.type !== 'tree') throw new Failure('GIT_NO_TREE', `${entry.object} is no tree`)
    return entriesOf(tree.content, entry.object.length / 2)
  }
}

function isFolder(entry: Entry | undefined): boolean {
  return entry?.mode === DIRECTORY
}

/** The part of a mode that distinguishes a file, a link and a submodule. */
function kindOf(mode: string): string {
  return mode.slice(0, 2)
}

/** The entries of a tree object: mode, blank, name, a zero byte, then the object's name in bytes. */
function entriesOf(content: Buffer, nameBytes: number): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at)
    const zero = content.indexOf(0, blank)
    const end = zero + 1 + nameBytes
    const name = content.toString('latin1', blank + 1, zero)
    entries.set(name, {
      mode: content.toString('latin1', at, blank),
      object: content.toString('hex', zero + 1, end),
    })
    at = end
  }
  return entries
}
