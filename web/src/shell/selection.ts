/** Rows that `j` and `k` walk over carry this attribute, and can be focused. */
const SELECTABLE = '[data-selectable]'
/** Inside a row: what Enter opens, where the row itself is no link. */
const OPENS = '[data-opens]'
/** Inside a row: what the digits choose. */
const OPTION = '[data-option]'

export function moveSelection(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(SELECTABLE)]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  const row = rows[next]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

/** A row that is a link opens by itself; one that is not opens what it names. Without a row the first is taken. */
export function openSelection({ target }: KeyboardEvent): void {
  if (target === document.body) document.querySelector<HTMLElement>(SELECTABLE)?.focus()
  else if (target instanceof HTMLElement && target.matches(`${SELECTABLE}:not(a)`))
    target.querySelector<HTMLElement>(OPENS)?.click()
}

export function chooseOption(number: number): void {
  const row = document.activeElement?.closest(SELECTABLE)
  row?.querySelectorAll(OPTION)[number - 1]?.querySelector('button')?.click()
}
