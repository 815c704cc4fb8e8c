/** Entries in the order of their days, and what they come to. */
export function openLedger() {
  const entries = []
  return {
    add(entry) {
      entries.push(entry)
      entries.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    },
    entries: () => [...entries],
    balance: () => entries.reduce((sum, { cents }) => sum + cents, 0),
  }
}
