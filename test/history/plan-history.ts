/** One path that a commit changed. */
export interface PathChange {
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
}

export interface HistoryCommit {
  readonly commit: string
  readonly subject: string
  readonly changes: readonly PathChange[]
}

export interface HistoryTask {
  readonly key: string
  readonly commit: string
  readonly subject: string
  readonly dependsOn: readonly string[]
  readonly files: readonly string[]
}

/**
 * Tasks out of commits, the oldest first. A commit depends on the last earlier ones that touched what it touches: its
 * paths, what stood where one of them is now a folder, and, because git follows folders that were renamed, folders in which
 * one removed and the other added files.
 */
export function planHistory(commits: readonly HistoryCommit[]): HistoryTask[] {
  const last = { path: new Map<string, string>(), below: new Map<string, string[]>() }
  const folders = { added: new Map<string, string[]>(), removed: new Map<string, string[]>() }
  return commits.map(({ commit, subject, changes }, i) => {
    const key = `c${String(i + 1).padStart(4, '0')}`
    const dependsOn = new Set<string>()
    const add = (keys: readonly string[] | string | undefined): void => {
      for (const one of [keys ?? []].flat()) dependsOn.add(one)
    }
    for (const { path, kind } of changes) {
      add(last.path.get(path))
      add(last.below.get(path))
      for (const folder of foldersOf(path)) {
        add(last.path.get(folder))
        if (kind === 'added') add(folders.removed.get(folder))
        if (kind === 'removed') add(folders.added.get(folder))
      }
      if (kind === 'added') add(folders.removed.get(parentOf(path)))
      if (kind === 'removed') add(folders.added.get(parentOf(path)))
    }
    for (const { path, kind } of changes) {
      last.path.set(path, key)
      for (const folder of foldersOf(path)) remember(last.below, folder, key)
      if (kind === 'changed') continue
      for (const folder of new Set([...foldersOf(path), parentOf(path)])) remember(folders[kind], folder, key)
    }
    return {
      key,
      commit,
      subject,
      dependsOn: [...dependsOn].toSorted(),
      files: changes.map(({ path }) => path),
    }
  })
}

function remember(map: Map<string, string[]>, name: string, key: string): void {
  const keys = map.get(name)
  if (keys === undefined) map.set(name, [key])
  else if (keys.at(-1) !== key) keys.push(key)
}

/** Every folder above a path but the root: a rename of the root is seen only from what lies directly in it. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
