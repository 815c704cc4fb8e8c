/** The attribute of rows that `j` and `k` select; they are focusable. */
const SELECTABLE = '[data-selectable]'
/** Inside a row: the link that Enter opens, where the row itself is no link. */
const OPENS = '[data-opens]'
/** Inside a row: an option that a digit key chooses. */
const OPTION = '[data-option]'

export function moveSelection(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(SELECTABLE)]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  const row = rows[next]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

/**
 * A row that is a link opens natively; another row opens the link inside it. Without a selected row, the
 * first is used.
 */
export function openSelection({ target }: KeyboardEvent): void {
  if (target === document.body) document.querySelector<HTMLElement>(SELECTABLE)?.focus()
  else if (target instanceof HTMLElement && target.matches(`${SELECTABLE}:not(a)`))
    target.querySelector<HTMLElement>(OPENS)?.click()
}

export function chooseOption(number: number): void {
  const row = document.activeElement?.closest(SELECTABLE)
  row?.querySelectorAll(OPTION)[number - 1]?.querySelector('button')?.click()
}
