import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A project as detection sees it: file names, and the text of requested files. */
export interface ProjectView {
  /** Paths from the root, with `/`, in order. */
  readonly files: readonly string[]
  /** The text of a file, or an empty one when there is no such file. */
  read(path: string): string
}

/** A manifest is small; a larger file was generated and says no more than its name. */
const READ_MAX_BYTES = 1_000_000

export function viewFolder(root: string, files: readonly string[]): ProjectView {
  return { files: files.toSorted(), read: (path) => readSmall(join(root, path)) }
}

function readSmall(path: string): string {
  try {
    const { size } = statSync(path)
    return size > READ_MAX_BYTES ? '' : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The same project seen from one of its folders. */
export function viewBelow(view: ProjectView, folder: string): ProjectView {
  if (folder === '') return view
  const prefix = `${folder}/`
  return {
    files: view.files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
    read: (path) => view.read(prefix + path),
  }
}

export function hasFile(view: ProjectView, ...names: readonly string[]): boolean {
  return names.some((name) => view.files.includes(name))
}

export function hasMatch(view: ProjectView, pattern: RegExp): boolean {
  return view.files.some((path) => pattern.test(path))
}

/** Whether any of the files holds the pattern. */
export function mentions(view: ProjectView, names: readonly string[], pattern: RegExp): boolean {
  return names.some((name) => pattern.test(view.read(name)))
}
