import { getRouteApi } from '@tanstack/react-router'
import type { CaseSummary } from '../../../../src/server/contract.ts'
import { ChoiceBox } from '../../parts/choice-box.tsx'
import { useReturns } from '../../state/use-returns.ts'
import { useWords } from '../../state/use-rows.ts'
import type { CasesSearch } from './cases-search.ts'

const route = getRouteApi('/cases')

export function Filters({ rows }: { readonly rows: readonly CaseSummary[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const words = useWords()?.cases
  const returns = useReturns()
  const set = (change: Partial<Record<keyof CasesSearch, string>>) => {
    // Computed from the current address: two quick changes must not undo each other.
    const after = (before: CasesSearch) =>
      Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value)) as CasesSearch
    // The back button undoes a filter, but not a search text letter by letter.
    const isTyping = change.text !== undefined && change.text !== '' && search.text !== undefined
    void navigate({ search: after, replace: isTyping })
  }
  const choices = (read: (row: CaseSummary) => readonly string[]) =>
    [...new Set(rows.flatMap(read))].toSorted()
  return (
    <search className="mb-3 flex flex-wrap gap-2 text-sm">
      <label>
        <span className="sr-only">Search</span>
        <input
          key={returns}
          type="search"
          className="w-64 max-w-full rounded-md border border-line bg-surface px-2 py-1"
          placeholder="Search id or words"
          defaultValue={search.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
        />
      </label>
      <ChoiceBox
        label="View"
        value={search.view ?? 'tree'}
        all={['tree', 'board', 'list']}
        set={(view) => set({ view })}
      />
      <ChoiceBox
        label="Type"
        value={search.type ?? ''}
        all={['', ...choices(({ type }) => [type])]}
        name={(type) => words?.[type as CaseSummary['type']]?.name ?? type}
        set={(type) => set({ type })}
      />
      <ChoiceBox
        label="Status"
        value={search.status ?? ''}
        all={['', ...choices(({ status }) => [status])]}
        set={(status) => set({ status })}
      />
      <ChoiceBox
        label="Tag"
        value={search.tag ?? ''}
        all={['', ...choices(({ tags }) => tags)]}
        set={(tag) => set({ tag })}
      />
    </search>
  )
}
