import type { Colors } from '../../context.ts'
import { headline, plainLine } from '../../render/plain-text.ts'

const TEXT_WIDTH = 160
/** Prompts and answers are long; the log itself has them whole. */
const HIDDEN = new Set(['timestamp', 'event', 'input'])

/**
 * One entry of an execution log as text: time, event, and the rest in one line. Other lines are unchanged.
 */
export function entryText(colors: Colors, line: string): string {
  const entry = readEntry(line)
  if (!entry) return plainLine(line)
  const { timestamp, event } = entry
  const at = typeof timestamp === 'string' ? timestamp.replace(/^.*T/, '').replace(/(?:\.\d+)?Z$/, '') : ''
  const rest = Object.entries(entry)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => `${name}: ${headline(textOf(value), TEXT_WIDTH)}`)
  return [colors.dim(at), colors.bold(plainLine(String(event ?? ''))), ...rest].join('  ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\n', ' ') : JSON.stringify(value)
}

/** An entry as data; a line that is no entry is returned as text. */
export function entryJson(line: string): unknown {
  return readEntry(line) ?? { line }
}

function readEntry(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
