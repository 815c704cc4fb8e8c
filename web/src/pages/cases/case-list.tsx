import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { CaseMark, StatusBadge } from '../../parts/case-mark.tsx'
import type { TreeRow } from './tree-rows.ts'

const ROW_PIXELS = 34

/** Renders only the visible rows, so that twenty thousand cases scroll like twenty. */
export function CaseList({ rows }: { readonly rows: readonly TreeRow[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
  })
  return (
    <section
      ref={scroller}
      aria-label="List of cases"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable without a mouse
      tabIndex={0}
      className="max-h-[calc(100dvh-9rem)] overflow-auto max-lg:max-h-[calc(100dvh-15rem)] rounded-lg border border-line bg-surface"
    >
      <ul className="relative [--indent:20px] max-sm:[--indent:8px]" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const entry = rows[index]
          if (!entry) return null
          const { row, depth } = entry
          return (
            <li
              key={row.id}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)`, height: ROW_PIXELS }}
            >
              <Link
                to="/cases/$id"
                params={{ id: row.id }}
                data-selectable
                data-subject={`case:${row.id}`}
                className="flex h-full items-center gap-2 border-b border-line px-3 hover:bg-raised focus:bg-raised"
                style={{ paddingInlineStart: `calc(12px + ${depth} * var(--indent))` }}
              >
                <CaseMark type={row.type} />
                <span className="w-20 shrink-0 font-mono text-sm text-soft">{row.id}</span>
                <span className="truncate">{row.title}</span>
                <span className="ml-auto flex shrink-0 items-center gap-2">
                  {row.cycle ? <span className="text-xs font-medium text-bad">⟳ circle</span> : null}
                  {row.ready ? <span className="text-xs text-good">ready</span> : null}
                  {row.rework > 0 ? (
                    <span className="text-xs text-warn max-sm:hidden">sent back {row.rework}×</span>
                  ) : null}
                  {Object.values(row.holders).map((holder) => (
                    <span key={holder} className="font-mono text-xs text-soft max-sm:hidden">
                      {holder}
                    </span>
                  ))}
                  <StatusBadge status={row.status} detail={row.delivery} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
