import type { CaseType, Status } from '../../cases/case.ts'
import { CASE_TYPES } from '../../cases/case-types.ts'
import { STATUS_SYMBOLS } from '../../cases/statuses.ts'
import type { Colors } from '../context.ts'

/** The colours of case types in the 256 colours of a terminal; black is the reader's own foreground, in bold. */
const TERMINAL_COLOURS: Readonly<Record<string, number | undefined>> = {
  gray: 245,
  orange: 208,
  purple: 135,
  red: 196,
  blue: 39,
  green: 40,
  yellow: 220,
}

export function paintType(colors: Colors, type: CaseType, text: string): string {
  return paintColour(colors, CASE_TYPES[type].colour, text)
}

export function paintColour(colors: Colors, colour: string, text: string): string {
  if (!colors.isColorSupported) return text
  const code = TERMINAL_COLOURS[colour]
  return code === undefined ? colors.bold(text) : `\u001b[38;5;${code}m${text}\u001b[39m`
}

/** A case's mark: the symbol of its type in its colour. */
export function typeMark(colors: Colors, type: CaseType): string {
  return paintType(colors, type, CASE_TYPES[type].symbol)
}

export function statusMark(colors: Colors, status: Status): string {
  const symbol = STATUS_SYMBOLS[status]
  switch (status) {
    case 'done':
      return colors.green(symbol)
    case 'failed':
    case 'blocked':
      return colors.red(symbol)
    case 'timeout':
    case 'outdated':
      return colors.yellow(symbol)
    case 'active':
    case 'review':
      return colors.cyan(symbol)
    default:
      return colors.dim(symbol)
  }
}
