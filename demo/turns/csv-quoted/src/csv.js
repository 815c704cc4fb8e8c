const FIELD = /"((?:[^"]|"")*)"|([^;]*)/y

/** The rows of a bank export: separated by semicolons, fields in quotes where they hold one. */
export function parseCsv(text) {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  return lines.map(parseLine)
}

function parseLine(line) {
  const fields = []
  for (let at = 0; at <= line.length; ) {
    FIELD.lastIndex = at
    const [whole, quoted, plain] = FIELD.exec(line) ?? ['']
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    at += whole.length + 1
  }
  return fields
}
