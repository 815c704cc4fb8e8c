/** Rows that `j` and `k` walk over carry this attribute, and can be focused. */
const SELECTABLE = '[data-selectable]'

export function moveSelection(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(SELECTABLE)]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  const row = rows[next]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

export function openSelection(): void {
  document.querySelector<HTMLElement>(SELECTABLE)?.focus()
}
