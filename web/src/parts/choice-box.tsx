/** One filter; the empty choice means no filter. */
export function ChoiceBox({
  label,
  value,
  all,
  set,
  none = 'all',
  name = (one) => one,
}: {
  readonly label: string
  readonly value: string
  readonly all: readonly string[]
  readonly set: (value: string) => void
  readonly none?: string
  readonly name?: (value: string) => string
}) {
  return (
    <label className="flex items-center gap-1.5 text-sm text-soft">
      {label}
      <select
        aria-label={label}
        className="rounded-md border border-line bg-surface px-2 py-1 text-ink"
        value={value}
        onChange={({ target }) => set(target.value)}
      >
        {all.map((one) => (
          <option key={one} value={one}>
            {one === '' ? none : name(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
