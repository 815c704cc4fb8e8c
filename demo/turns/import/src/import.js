import { parseCsv } from './csv.js'
import { makeEntry } from './entry.js'

/** The entries of a bank export with the columns date, text, amount; its first row names them. */
export function importExport(text) {
  const [, ...rows] = parseCsv(text)
  return rows.map(([date, what, amount]) => makeEntry(date, what, amount))
}
