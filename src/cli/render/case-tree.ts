import type { CaseRecord } from '../../store/store.ts'
import type { Colors } from '../context.ts'
import { caseJson } from './case-json.ts'
import { caseLine } from './case-text.ts'

interface TreeNode {
  readonly record: CaseRecord
  readonly children: readonly TreeNode[]
}

/**
 * The lineage of all cases, or of those from `top` down, children in the order of their creation. Every case stands in it once, even when a file made by
 * hand gives two cases each other as a parent.
 */
export function growTrees(records: readonly CaseRecord[], top?: CaseRecord): TreeNode[] {
  const byId = new Map(records.map((record) => [record.id, record]))
  const placed = new Set<string>()
  const grow = (record: CaseRecord): TreeNode => {
    placed.add(record.id)
    const children = record.childIds.flatMap((id) => {
      const child = byId.get(id)
      return child && !placed.has(id) ? [grow(child)] : []
    })
    return { record, children }
  }
  if (top) return [grow(top)]
  const roots = records.filter(({ parentId }) => parentId === null || !byId.has(parentId)).map(grow)
  const rootless = records.flatMap((record) => (placed.has(record.id) ? [] : [grow(record)]))
  return [...roots, ...rootless]
}

export function treeJson({ record, children }: TreeNode): object {
  return { ...caseJson(record), children: children.map(treeJson) }
}

export function treeText(colors: Colors, trees: readonly TreeNode[]): string {
  const lines: string[] = []
  const draw = ({ record, children }: TreeNode, lead: string, below: string) => {
    lines.push(`${lead === '' ? '' : colors.dim(lead)}${caseLine(colors, record)}`)
    for (const [at, child] of children.entries()) {
      const last = at === children.length - 1
      draw(child, `${below}${last ? '└── ' : '├── '}`, `${below}${last ? '    ' : '│   '}`)
    }
  }
  for (const tree of trees) draw(tree, '', '')
  return lines.join('\n')
}
