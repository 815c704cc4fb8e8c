import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CaseId } from '../cases/case.ts'
import type { CaseIndex } from '../cases/case-index.ts'
import { compareIds } from '../cases/ids.ts'
import type { Disk } from './disk.ts'
import { encodeCase, encodeDocument } from './journal-line.ts'

const CHUNK_CHARACTERS = 1024 * 1024

/** One plain line per case, sorted by id, then the documents. */
export function* compactedLines(
  index: CaseIndex,
  documents: ReadonlyMap<string, { readonly rev: number; readonly value: unknown }>,
): Generator<string> {
  const ids: CaseId[] = [...index.all()].map(({ id }) => id).sort(compareIds)
  for (const id of ids) {
    const subject = index.get(id)
    if (subject) yield encodeCase(subject, index.history(id), { childIds: index.children(id) })
  }
  for (const [name, { rev, value }] of documents) yield encodeDocument(name, rev, value)
}

/** Writes the lines beside the file and puts them in its place in one step. Returns how many they are. */
export async function replaceFile(disk: Disk, path: string, lines: Iterable<string>): Promise<number> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o644)
  let count = 0
  try {
    let chunk = ''
    for (const line of lines) {
      chunk += line
      count += 1
      if (chunk.length < CHUNK_CHARACTERS) continue
      await disk.writeLater(file.fd, Buffer.from(chunk))
      chunk = ''
    }
    if (chunk !== '') await disk.writeLater(file.fd, Buffer.from(chunk))
    await disk.syncLater(file.fd)
  } finally {
    await file.close()
  }
  disk.rename(draft, path)
  disk.syncFolder(dirname(path))
  return count
}
