import type { SchemaNode } from './schema.ts'

/** A value as people type it in a shell: a text as it is, else JSON, with a comma list and 1/0 as short forms. */
export function parseValueText(node: SchemaNode, text: string): unknown {
  if (node.type === 'string') return text
  if (node.type === 'boolean' && (text === '1' || text === '0')) return text === '1'
  try {
    return JSON.parse(text)
  } catch {
    return isTextList(node) && !/^\s*\[/.test(text) ? text.split(',').map((entry) => entry.trim()) : text
  }
}

function isTextList(node: SchemaNode): boolean {
  const entry = node.items
  return node.type === 'array' && [entry, ...(entry?.anyOf ?? [])].some((one) => one?.type === 'string')
}
