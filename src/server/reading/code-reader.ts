import { Failure } from '../../platform/failure.ts'
import type { Git, Repository } from '../../platform/git/git.ts'
import { isObjectName } from '../../platform/git/names.ts'
import { resolveCommit } from '../../platform/git/repository-operations.ts'
import type { FileText, Tree } from '../contract.ts'
import { showText } from './show-text.ts'

/** Code is read from objects of the integration repository, never from a work tree. */
export interface CodeGround {
  readonly git: Git
  /** Its HEAD names the target of record. */
  readonly integration: Repository
}

const BLOB_BYTES_MAX = 8 * 1024 * 1024
const ENTRIES_MAX = 5_000
const PATH_CHARACTERS_MAX = 4_096

interface TreeEntry {
  readonly mode: string
  readonly object: string
  readonly bytes: number | null
  readonly path: string
}

export async function readFileText(ground: CodeGround, commit: string, path: string): Promise<FileText> {
  const sound = await soundCommit(ground, commit)
  const [entry] = path === '' ? [] : await listTree(ground, sound, soundPath(path))
  if (entry?.path !== path || entry.bytes === null) throw noFile(path, commit)
  const isShown = entry.bytes <= BLOB_BYTES_MAX
  const bytes = isShown
    ? (await ground.git.run(ground.integration, ['cat-file', 'blob', entry.object])).stdout
    : Buffer.alloc(0)
  const { binary, text, cut } = showText(bytes)
  return { commit: sound, path, bytes: entry.bytes, binary, text, cut: cut || !isShown }
}

export async function readTree(ground: CodeGround, commit: string, path: string): Promise<Tree> {
  const sound = await soundCommit(ground, commit)
  const folder = path.replace(/\/+$/, '')
  const entries = await listTree(ground, sound, folder === '' ? undefined : `${soundPath(folder)}/`)
  if (entries.length === 0 && folder !== '') throw noFile(path, commit)
  return {
    commit: sound,
    path: folder,
    cut: entries.length > ENTRIES_MAX,
    entries: entries.slice(0, ENTRIES_MAX).map(({ mode, bytes, path: whole }) => ({
      name: whole.slice(folder === '' ? 0 : folder.length + 1),
      kind: KIND_OF_MODE[mode] ?? 'file',
      bytes,
    })),
  }
}

const KIND_OF_MODE: Readonly<Record<string, Tree['entries'][number]['kind']>> = {
  '040000': 'folder',
  '120000': 'link',
  '160000': 'module',
}

/** Git resolves the path within the commit's tree, so `..` leads nowhere. */
async function listTree(
  { git, integration }: CodeGround,
  commit: string,
  path?: string,
): Promise<TreeEntry[]> {
  const words = ['ls-tree', '-l', '-z', '--full-tree', commit, ...(path === undefined ? [] : ['--', path])]
  const { stdout, exitCode } = await git.run(integration, words, { expect: [0, 128] })
  if (exitCode !== 0) return []
  return stdout
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode, object, bytes, found] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? []
      if (mode === undefined || object === undefined || found === undefined) return []
      return [{ mode, object, bytes: bytes === '-' ? null : Number(bytes), path: found }]
    })
}

/** Accepts only the full object name of a commit: branches and other refs are not exposed to clients. */
export async function soundCommit({ git, integration }: CodeGround, commit: string): Promise<string> {
  const found = isObjectName(commit) ? await resolveCommit(git, integration, commit) : undefined
  if (found !== undefined) return found
  throw new Failure('NotFound', 'there is no such commit', { hint: 'name it by its whole object name' })
}

function soundPath(path: string): string {
  const parts = path.split('/')
  const isSound =
    path.length <= PATH_CHARACTERS_MAX &&
    !path.includes('\0') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (isSound) return path
  throw new Failure('NotFound', 'that is no path inside a repository')
}

function noFile(path: string, commit: string): Failure {
  return new Failure('NotFound', `${commit.slice(0, 12)} has no ${JSON.stringify(path)}`)
}
