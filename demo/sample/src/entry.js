import { parseAmount } from './amount.js'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** One line of the ledger. The amount may be cents, or text as people write it. */
export function makeEntry(date, text, amount) {
  if (!DAY.test(date)) throw new RangeError(`"${date}" is no day such as 2026-01-31`)
  const cents = typeof amount === 'number' ? amount : parseAmount(amount)
  return Object.freeze({ date, text: text.trim(), cents })
}
