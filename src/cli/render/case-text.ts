import type { HistoryEntry, Status } from '../../cases/case.ts'
import type { CaseRecord } from '../../store/store.ts'
import type { Colors } from '../context.ts'
import { statusMark, typeMark } from './paint.ts'
import { headline, plain, plainLine } from './plain-text.ts'

const CONTENT_WIDTH = 72
const FIELD_WIDTH = 11
/** In these states the reason of the last change matters most. */
const STOPPED: readonly Status[] = ['blocked', 'failed', 'timeout']

/** One line: `▤ task-001  → Write the parser  (waits on task-002)`. */
export function caseLine(colors: Colors, record: CaseRecord, note = ''): string {
  const cycle = record.cycle ? ` ${colors.red('⟳')}` : ''
  const tail = note === '' ? '' : `  ${colors.dim(`(${plainLine(note)})`)}`
  return `${typeMark(colors, record.type)} ${record.id.padEnd(9)} ${statusMark(colors, record.status)} ${headline(record.content, CONTENT_WIDTH)}${cycle}${tail}`
}

/** Everything about one case, for a person. */
export function caseDetail(
  colors: Colors,
  record: CaseRecord,
  { history, holds }: { readonly history: readonly HistoryEntry[]; readonly holds: string },
): string {
  const rows: (readonly [string, string])[] = [
    ['type', record.type],
    ['status', record.status + (record.cycle ? ` (circular dependency ${record.cycle.join(' → ')})` : '')],
    ['parent', record.parentId ?? ''],
    ['children', record.childIds.join(', ')],
    ['depends on', (record.dependsOn ?? []).join(', ')],
    ['tags', (record.tags ?? []).join(', ')],
    ['held by', leaseText(record)],
    ['created', record.createdAt],
    ['updated', record.updatedAt],
    ['deleted', record.deletedAt ?? ''],
    ['damage', record.held ?? ''],
    ['because', STOPPED.includes(record.status) ? lastReason(history) : ''],
    ['not ready', record.type === 'task' && record.status === 'pending' ? holds : ''],
  ]
  const shown = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => fieldLine(colors, name, value))
  return [
    caseLine(colors, record),
    '',
    indent(plain(record.content)),
    '',
    ...shown,
    ...metadataText(colors, record),
  ].join('\n')
}

function lastReason(history: readonly HistoryEntry[]): string {
  return history.findLast(({ type }) => type === 'status_change')?.reason ?? ''
}

function leaseText({ leases = {} }: CaseRecord): string {
  return Object.entries(leases)
    .map(
      ([stage, { holder, fence, expiresAt }]) => `${holder} (${stage}, fence ${fence}, until ${expiresAt})`,
    )
    .join(', ')
}

function metadataText(colors: Colors, { metadata }: CaseRecord): string[] {
  const { acceptanceCriteria, ...rest } = metadata
  const criteria = Array.isArray(acceptanceCriteria)
    ? acceptanceCriteria.map((text) => `    □ ${plainLine(String(text))}`)
    : []
  const others = Object.entries(rest).map(([key, value]) =>
    fieldLine(colors, key, typeof value === 'string' ? value : JSON.stringify(value)),
  )
  return [...(criteria.length > 0 ? [`  ${colors.dim('criteria')}`, ...criteria] : []), ...others]
}

function fieldLine(colors: Colors, name: string, value: string): string {
  return `  ${colors.dim(plainLine(name).padEnd(FIELD_WIDTH))} ${plainLine(value)}`
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

export function historyText(colors: Colors, history: readonly HistoryEntry[]): string {
  return history
    .map(
      (entry) => `${colors.dim(entry.timestamp)}  ${plainLine(entry.actor).padEnd(10)} ${changeText(entry)}`,
    )
    .join('\n')
}

function changeText({ type, from, to, reason, childIds }: HistoryEntry): string {
  const words = plainLine(reason)
  if (type === 'split') return `split into ${childIds?.join(', ') ?? ''}: ${words}`
  const before = [from?.type, from?.status].filter(Boolean).join(' ')
  const after = [to?.type, to?.status].filter(Boolean).join(' ')
  const move = after === '' ? '' : before === '' ? `${after}: ` : `${before} → ${after}: `
  return `${move}${words}`
}
