import { formatAmount } from './amount.js'
import { categoryOf } from './categories.js'
import { monthlyTotals } from './monthly.js'

const NAME_WIDTH = 12
const AMOUNT_WIDTH = 12

/** A page for the terminal: the total of each month, and below it what each category took. */
export function renderReport(entries, rules) {
  const months = Object.entries(monthlyTotals(entries))
  return months.map(([month, cents]) => monthText(month, cents, entries, rules)).join('\n')
}

function monthText(month, cents, entries, rules) {
  const sums = new Map()
  for (const entry of entries.filter(({ date }) => date.startsWith(month))) {
    const category = categoryOf(entry, rules)
    sums.set(category, (sums.get(category) ?? 0) + entry.cents)
  }
  const lines = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => lineOf(`  ${name}`, sum))
  return `${[lineOf(month, cents), ...lines].join('\n')}\n`
}

function lineOf(name, cents) {
  return `${name.padEnd(NAME_WIDTH)}${formatAmount(cents).padStart(AMOUNT_WIDTH)}`
}
