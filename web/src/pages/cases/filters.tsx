import { getRouteApi } from '@tanstack/react-router'
import type { CaseSummary } from '../../../../src/server/contract.ts'
import type { CasesSearch } from '../../router.tsx'
import { useWords } from '../../state/use-rows.ts'

const route = getRouteApi('/cases')
const FIELD = 'rounded-md border border-line bg-surface px-2 py-1'

export function Filters({ rows }: { readonly rows: readonly CaseSummary[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const words = useWords()?.cases
  const set = (change: Partial<Record<keyof CasesSearch, string>>) => {
    // From what the address says by then: two quick changes must not undo each other.
    const after = (before: CasesSearch) =>
      Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value)) as CasesSearch
    void navigate({ search: after, replace: true })
  }
  const choices = (read: (row: CaseSummary) => readonly string[]) =>
    [...new Set(rows.flatMap(read))].toSorted()
  return (
    <search className="mb-3 flex flex-wrap gap-2 text-sm">
      <label>
        <span className="sr-only">Search</span>
        <input
          type="search"
          className={`${FIELD} w-64 max-w-full`}
          placeholder="Search id or words"
          defaultValue={search.text ?? ''}
          onChange={({ target }) => set({ text: target.value })}
        />
      </label>
      <Choice
        label="View"
        value={search.view ?? 'tree'}
        all={['tree', 'board', 'list']}
        set={(view) => set({ view })}
      />
      <Choice
        label="Type"
        value={search.type ?? ''}
        all={['', ...choices(({ type }) => [type])]}
        name={(type) => words?.[type as CaseSummary['type']]?.name ?? type}
        set={(type) => set({ type })}
      />
      <Choice
        label="Status"
        value={search.status ?? ''}
        all={['', ...choices(({ status }) => [status])]}
        set={(status) => set({ status })}
      />
      <Choice
        label="Tag"
        value={search.tag ?? ''}
        all={['', ...choices(({ tags }) => tags)]}
        set={(tag) => set({ tag })}
      />
    </search>
  )
}

function Choice({
  label,
  value,
  all,
  set,
  name = (one) => one,
}: {
  readonly label: string
  readonly value: string
  readonly all: readonly string[]
  readonly set: (value: string) => void
  readonly name?: (value: string) => string
}) {
  return (
    <label className="flex items-center gap-1.5 text-soft">
      {label}
      <select
        aria-label={label}
        className={`${FIELD} text-ink`}
        value={value}
        onChange={({ target }) => set(target.value)}
      >
        {all.map((one) => (
          <option key={one} value={one}>
            {one === '' ? 'all' : name(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
