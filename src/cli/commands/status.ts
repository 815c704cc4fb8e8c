import type { Command } from 'commander'
import { CASE_TYPES } from '../../cases/case-types.ts'
import { describeDamage } from '../../store/damage.ts'
import { readSummary } from '../../store/follow-summary.ts'
import type { CaseRecord, Store, StoreReport } from '../../store/store.ts'
import { type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { withStore } from '../project.ts'
import { caseLine } from '../render/case-text.ts'
import { statusMark, typeMark } from '../render/paint.ts'

/** More than these do not make a picture. */
const LINES_SHOWN = 10

export function define(command: Command, context: () => Context): void {
  command.action(() => status(context()))
  withExamples(command, 'axiom status', 'axiom status --json')
}

function status(context: Context): Promise<void> {
  return withStore(context, 'status', (store, project) => showStatus(context, store, project.root), {
    showsDamage: true,
  })
}

async function showStatus(context: Context, store: Store, root: string): Promise<void> {
  const [records, ready, report, summary] = await Promise.all([
    store.query({}),
    store.query({ ready: true }),
    store.report(),
    readSummary(store),
  ])
  const value = {
    project: root,
    cases: records.length,
    counts: summary.counts,
    ready: ready.map(({ id }) => id),
    active: records.filter(({ leases }) => leases !== undefined).map(holderOf),
    blocked: records.filter((record) => record.status === 'blocked').map(({ id }) => id),
    damage: report.damage,
    cycles: report.cycles,
    summary,
  }
  print(context, value, () => picture(context, records, ready, report))
}

function holderOf({ id, leases = {} }: CaseRecord): { id: string; leases: CaseRecord['leases'] } {
  return { id, leases }
}

function countByType(records: readonly CaseRecord[]): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {}
  for (const { type, status: word } of records) {
    const row = counts[type] ?? {}
    row[word] = (row[word] ?? 0) + 1
    counts[type] = row
  }
  return counts
}

function picture(
  context: Context,
  records: readonly CaseRecord[],
  ready: readonly CaseRecord[],
  report: StoreReport,
): string {
  const { colors } = context
  if (records.length === 0)
    return 'No cases yet. State a need: axiom case create --type directive --content "When …, I want …, so that …"'
  const counts = countByType(records)
  const rows = (Object.keys(CASE_TYPES) as CaseRecord['type'][])
    .filter((type) => counts[type])
    .map((type) => {
      const parts = Object.entries(counts[type] ?? {}).map(
        ([word, n]) => `${statusMark(colors, word as CaseRecord['status'])} ${n} ${word}`,
      )
      return `${typeMark(colors, type)} ${type.padEnd(10)} ${parts.join('  ')}`
    })
  const held = records.filter(({ leases }) => leases !== undefined)
  const blocked = records.filter((record) => record.status === 'blocked')
  return [
    ...rows,
    ...section(
      colors.bold('In work'),
      held.map((record) => caseLine(colors, record, holders(record))),
    ),
    ...section(
      colors.bold('Ready'),
      ready.map((record) => caseLine(colors, record)),
    ),
    ...section(
      colors.bold('Blocked'),
      blocked.map((record) => caseLine(colors, record)),
    ),
    ...section(colors.red('Damage'), report.damage.map(describeDamage)),
    ...section(
      colors.red('Circular dependencies'),
      report.cycles.map((path) => path.join(' → ')),
    ),
  ].join('\n')
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const more = lines.length > LINES_SHOWN ? [`  … and ${lines.length - LINES_SHOWN} more`] : []
  return ['', `${title} (${lines.length})`, ...lines.slice(0, LINES_SHOWN), ...more]
}

function holders({ leases = {} }: CaseRecord): string {
  return Object.entries(leases)
    .map(([stage, { holder }]) => `${holder}, ${stage}`)
    .join('; ')
}
