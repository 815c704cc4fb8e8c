export type ConfigText =
  | { readonly kind: 'parsed'; readonly raw: unknown }
  | { readonly kind: 'broken'; readonly reason: string }

const BYTE_ORDER_MARK = '\uFEFF'

/** Reads the text of a configuration file; a syntax error is reported with its line and column. */
export function readConfigText(text: string): ConfigText {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  if (content.trim() === '') return { kind: 'broken', reason: 'the file is empty' }
  try {
    return { kind: 'parsed', raw: JSON.parse(content) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const position = /at position (\d+)/.exec(reason)?.[1]
    if (position === undefined) return { kind: 'broken', reason }
    const before = content.slice(0, Number(position)).split('\n')
    const column = (before.at(-1) ?? '').length + 1
    const what = reason.replace(/ in JSON.*| \(line.*/s, '')
    return { kind: 'broken', reason: `line ${before.length}, column ${column}: ${what}` }
  }
}

/** The text that is written: two blanks of indentation, keys in the order they have. */
export function writeConfigText(raw: unknown): string {
  return `${JSON.stringify(raw, null, 2)}\n`
}
