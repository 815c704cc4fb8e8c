const MONTH_CHARACTERS = 'YYYY-MM'.length

/** What came in and went out, by month: `2026-01` → cents, the oldest month first. */
export function monthlyTotals(entries) {
  const totals = new Map()
  for (const { date, cents } of entries) {
    const month = date.slice(0, MONTH_CHARACTERS)
    totals.set(month, (totals.get(month) ?? 0) + cents)
  }
  return Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)))
}
