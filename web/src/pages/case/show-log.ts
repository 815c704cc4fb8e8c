import { plainText } from '../../api/plain-text.ts'

interface Entry {
  readonly timestamp?: unknown
  readonly event?: unknown
  readonly [field: string]: unknown
}

/** The lines of a log for display: time and event of an entry, then its fields, indented. */
export function showLog(text: string): string[] {
  // An entry is JSON within JSON: control characters in its fields appear only after this second parse.
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').flatMap(showEntry).map(plainText)
}

function showEntry(line: string): string[] {
  const entry = parseEntry(line)
  if (entry === undefined) return [line]
  const { timestamp, event, ...rest } = entry
  const short: string[] = []
  const long: string[] = []
  for (const [name, value] of Object.entries(rest)) {
    const words = typeof value === 'string' ? value : JSON.stringify(value)
    if (words.includes('\n')) long.push(`    ${name}:`, ...words.split('\n').map((one) => `      ${one}`))
    else short.push(`${name}=${words}`)
  }
  const head = [String(timestamp).replace(/^.*T|\.\d+|Z$/g, ''), String(event), ...short]
  return [head.join('  '), ...long]
}

/** Undefined for a line that is no log entry; it is shown unchanged. */
function parseEntry(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry = JSON.parse(line) as Entry
    return typeof entry.timestamp === 'string' && typeof entry.event === 'string' ? entry : undefined
  } catch {
    return undefined
  }
}
