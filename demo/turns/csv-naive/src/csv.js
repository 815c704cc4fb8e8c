/** The rows of a bank export: separated by semicolons, fields in quotes where they hold one. */
export function parseCsv(text) {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  return lines.map((line) => line.split(';').map((field) => field.replaceAll('"', '')))
}
