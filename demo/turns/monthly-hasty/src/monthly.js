/** What came in and went out, by month. */
export function monthlyTotals(entries) {
  const totals = {}
  for (const { date, cents } of entries) {
    const month = new Date(date).getMonth() + 1
    totals[month] = (totals[month] ?? 0) + cents
  }
  return totals
}
