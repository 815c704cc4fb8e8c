// What the library offers, a line each.

export { formatAmount, parseAmount } from './amount.js'

export { makeEntry } from './entry.js'

export { openLedger } from './ledger.js'

// Not offered yet: reading bank exports, totals by month.
