import { rmSync } from 'node:fs'
import type { Case, CaseId } from '../../cases/case.ts'
import type { CaseIndex } from '../../cases/case-index.ts'
import { compareIds } from '../../cases/ids.ts'
import { Failure } from '../../platform/failure.ts'
import type { Disk } from './disk.ts'
import { sealedLine } from './line-seal.ts'

const CHUNK_CHARACTERS = 1024 * 1024

/** One plain line per case, sorted by id, then the documents. */
export function* compactedLines(
  index: CaseIndex,
  documents: ReadonlyMap<string, { readonly rev: number; readonly value: unknown }>,
): Generator<string> {
  const ids: CaseId[] = [...index.all()].map(({ id }) => id).sort(compareIds)
  for (const id of ids) {
    const subject = index.get(id)
    if (subject) yield sealedLine(ordered(index, subject))
  }
  for (const [doc, { rev, value }] of documents) yield sealedLine({ doc, rev, value })
}

/** The keys in a fixed order, so that two compacted files differ only where their cases do. */
function ordered(index: CaseIndex, subject: Case): object {
  const { id, rev, type, status, content, parentId, uid, ...rest } = subject
  const [childIds, history] = [index.children(id), index.history(id)]
  return { id, rev, type, status, content, parentId, childIds, ...rest, uid, history }
}

/** Writes the lines into a new file and syncs it. Returns their number. */
export async function writeDraft(disk: Disk, draft: string, lines: Iterable<string>): Promise<number> {
  rmSync(draft, { force: true })
  const fd = disk.openForAppend(draft)
  let count = 0
  try {
    let chunk = ''
    for (const line of lines) {
      chunk += line
      count += 1
      if (chunk.length < CHUNK_CHARACTERS) continue
      await writeAll(disk, fd, Buffer.from(chunk))
      chunk = ''
    }
    await writeAll(disk, fd, Buffer.from(chunk))
    await disk.syncLater(fd)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Failure('STORE_WRITE_FAILED', `the store could not be compacted: ${error}`, {
      hint: 'nothing is lost: the file is as it was; free space on the disk and try again',
      retryable: true,
      cause: error,
    })
  } finally {
    disk.close(fd)
  }
  return count
}

/** Repeats the write: a disk that is nearly full accepts only a part of the bytes. */
async function writeAll(disk: Disk, fd: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += await disk.writeLater(fd, bytes.subarray(done))
}
