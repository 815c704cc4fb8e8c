import type { CaseRecord } from '../../store/store.ts'
import type { Colors } from '../context.ts'
import { caseJson } from './case-json.ts'
import { caseLine } from './case-text.ts'

interface TreeNode {
  readonly record: CaseRecord
  readonly children: readonly TreeNode[]
}

/**
 * The lineage of all cases, or of those from `top` down. Every case stands in it once, even when a file made by
 * hand gives two cases each other as a parent.
 */
export function growTrees(records: readonly CaseRecord[], top?: CaseRecord): TreeNode[] {
  const byParent = groupByParent(records)
  const known = new Set(records.map(({ id }) => id))
  const placed = new Set<string>()
  const grow = (record: CaseRecord): TreeNode => {
    placed.add(record.id)
    const own = (byParent.get(record.id) ?? []).filter(({ id }) => !placed.has(id))
    return { record, children: own.map(grow) }
  }
  if (top) return [grow(top)]
  const roots = records.filter(({ parentId }) => parentId === null || !known.has(parentId)).map(grow)
  const rootless = records.flatMap((record) => (placed.has(record.id) ? [] : [grow(record)]))
  return [...roots, ...rootless]
}

/** Node 20 has no `Map.groupBy`. */
function groupByParent(records: readonly CaseRecord[]): Map<string | null, CaseRecord[]> {
  const groups = new Map<string | null, CaseRecord[]>()
  for (const record of records) {
    const group = groups.get(record.parentId)
    if (group) group.push(record)
    else groups.set(record.parentId, [record])
  }
  return groups
}

export function treeJson({ record, children }: TreeNode): object {
  return { ...caseJson(record), children: children.map(treeJson) }
}

export function treeText(colors: Colors, trees: readonly TreeNode[]): string {
  const lines: string[] = []
  const draw = ({ record, children }: TreeNode, lead: string, below: string) => {
    lines.push(`${colors.dim(lead)}${caseLine(colors, record)}`)
    for (const [at, child] of children.entries()) {
      const last = at === children.length - 1
      draw(child, `${below}${last ? '└── ' : '├── '}`, `${below}${last ? '    ' : '│   '}`)
    }
  }
  for (const tree of trees) draw(tree, '', '')
  return lines.join('\n')
}
