import type { InboxEntry } from '../../events/inbox-entry.ts'
import type { Colors } from '../context.ts'
import { plainLine } from './plain-text.ts'

const WAITING_SHOWN_MAX = 8
const SYMBOLS: Readonly<Record<InboxEntry['kind'], string>> = {
  question: '?',
  review: '◐',
  escalation: '✗',
  repair: '⚠',
  conflict: '⇄',
  publish: '⇡',
}

/** All open decisions, each with the information and the commands that it needs. */
export function inboxText(colors: Colors, entries: readonly InboxEntry[]): string {
  if (entries.length === 0) return 'Nothing waits for you.'
  return entries.map((entry) => entryText(colors, entry)).join('\n\n')
}

function entryText(colors: Colors, entry: InboxEntry): string {
  const { id, kind, question, context, options, tried, fallback, raisedBy, deadline, atDeadline } = entry
  const lines = [
    `${colors.magenta(SYMBOLS[kind])} ${colors.bold(id)}  ${plainLine(question)}`,
    ...(context === null ? [] : [`  ${colors.dim(plainLine(context))}`]),
    ...options.map(
      ({ label, tradeOff }, at) =>
        `  ${at + 1}. ${plainLine(label)}${tradeOff ? colors.dim(` (${plainLine(tradeOff)})`) : ''}`,
    ),
    ...tried.map((attempt) => `  tried: ${plainLine(attempt)}`),
    ...(fallback === null ? [] : [`  default: ${colors.green(plainLine(fallback))}`]),
    `  asked by ${raisedBy}; ${waitingText(entry)}`,
    ...(deadline === null ? [] : [`  at ${deadline.slice(0, 16).replace('T', ' ')} UTC it is ${atDeadline}`]),
    colors.dim(kind === 'review' ? `  look at it: axiom review ${id}` : `  axiom answer ${id} "your answer"`),
  ]
  return lines.join('\n')
}

function waitingText({ waiting }: InboxEntry): string {
  if (waiting.length === 0) return 'no task waits for it'
  const shown = waiting.slice(0, WAITING_SHOWN_MAX).join(', ')
  const more = waiting.length > WAITING_SHOWN_MAX ? ` and ${waiting.length - WAITING_SHOWN_MAX} more` : ''
  return `holds ${shown}${more}`
}
