import type { TaskExecution } from '../../cases/metadata.ts'
import type { Ground } from '../../workspaces/workspace.ts'

/** The size of a change; files without lines count as files. */
export async function countChanges(
  { git, integration }: Ground,
  base: string,
  commit: string,
): Promise<NonNullable<TaskExecution['codeChanges']>> {
  const text = await git.text(integration, ['diff-tree', '-r', '--numstat', base, commit, '--'])
  const rows = text.split('\n').filter((line) => line !== '')
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + (Number.parseInt(row.split('\t')[column] ?? '', 10) || 0), 0)
  return { filesChanged: rows.length, linesAdded: sum(0), linesRemoved: sum(1) }
}
