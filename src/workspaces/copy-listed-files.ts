import { constants } from 'node:fs'
import { appendFile, lstat, mkdir, open } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { systemCode } from '../platform/failure.ts'
import { kindOf, readRegularFile } from '../platform/files/read-regular-file.ts'

export interface CopyOutcome {
  readonly copied: readonly string[]
  readonly refused: readonly { readonly file: string; readonly why: string }[]
}

/** Settings files are small; a larger one does not belong in every checkout. */
const FILE_BYTES_MAX = 16 * 1024 * 1024

export interface CopyRequest {
  /** The user's work tree. */
  readonly from: string
  readonly files: readonly string[]
  /** Files such as `.git/info/exclude`, in which the copies are named so that git leaves them out. */
  readonly excludeIn: readonly string[]
}

/**
 * Copies files that git does not track, such as `.env`, from the user's work tree into a checkout. No link is
 * followed on either side: agents wrote to the checkout, and a link in it could lead anywhere.
 */
export async function copyListedFiles(to: string, request: CopyRequest): Promise<CopyOutcome> {
  const copied: string[] = []
  const refused: { file: string; why: string }[] = []
  for (const file of request.files) {
    const why = await copyOne(request.from, to, file)
    if (why === undefined) copied.push(file)
    else refused.push({ file, why })
  }
  if (copied.length > 0) await excludeFromGit(request.excludeIn, copied)
  return { copied, refused }
}

async function copyOne(from: string, to: string, file: string): Promise<string | undefined> {
  const path = normalize(file)
  if (path.startsWith('/') || path.split('/').includes('..') || path.split('/').includes('.git')) {
    return 'it does not lie inside the work tree'
  }
  if (await linkOnTheWay(from, path)) return 'a link stands on the way to it'
  const bytes = await readRegularFile(join(from, path), FILE_BYTES_MAX)
  if (bytes === undefined) return 'there is no such file, or it is too large'
  if (await linkOnTheWay(to, path)) return 'a link stands in its place in the checkout'
  if ((await kindOf(join(to, path))) !== 'absent') return 'the checkout already has it'
  const { mode } = await lstat(join(from, path))
  try {
    await mkdir(dirname(join(to, path)), { recursive: true })
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    await using out = await open(join(to, path), flags, mode & 0o777)
    await out.writeFile(bytes)
    return undefined
  } catch (error) {
    if (['EEXIST', 'ENOTDIR', 'ELOOP'].includes(systemCode(error)))
      return `it cannot be written (${systemCode(error)})`
    throw error
  }
}

async function linkOnTheWay(root: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let i = 1; i <= parts.length; i += 1) {
    if ((await kindOf(join(root, ...parts.slice(0, i)))) === 'link') return true
  }
  return false
}

/** An agent's `git add -A` must not commit files that may be secret. */
async function excludeFromGit(excludeIn: readonly string[], files: readonly string[]): Promise<void> {
  const lines = files.map((file) => `/${normalize(file).replaceAll(/[\\*?[\]!# ]/g, '\\$&')}\n`).join('')
  for (const path of excludeIn) await appendFile(path, lines)
}
