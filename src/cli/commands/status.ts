import type { Command } from 'commander'
import { CASE_TYPES } from '../../cases/case-types.ts'
import type { AgentCard } from '../../events/agent-grid.ts'
import type { Summary } from '../../events/summary.ts'
import { describeDamage } from '../../store/damage.ts'
import { readSummary } from '../../store/follow-summary.ts'
import type { CaseRecord, Store, StoreReport } from '../../store/store.ts'
import { type Colors, type Context, print } from '../context.ts'
import { withExamples } from '../examples.ts'
import { withStore } from '../project.ts'
import { caseLine } from '../render/case-text.ts'
import { statusMark, typeMark } from '../render/paint.ts'
import { headline, plainLine } from '../render/plain-text.ts'

/** More lines are hard to take in at once. */
const LINES_SHOWN = 10
const QUESTION_WIDTH = 68

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
  print(context, value, () => picture(context, summary, ready, records, report))
}

function holderOf({ id, leases = {} }: CaseRecord): { id: string; leases: CaseRecord['leases'] } {
  return { id, leases }
}

function picture(
  context: Context,
  summary: Summary,
  ready: readonly CaseRecord[],
  records: readonly CaseRecord[],
  report: StoreReport,
): string {
  const { colors } = context
  if (records.length === 0)
    return 'No cases yet. State a need: axiom case create --type directive --content "When …, I want …, so that …"'
  const blocked = records.filter((record) => record.status === 'blocked')
  const byId = new Map(records.map((record) => [record.id, record]))
  return [
    ...countRows(colors, summary),
    ...standingRows(colors, summary),
    ...section(
      colors.bold('In work'),
      summary.agents.map((card) => agentLine(colors, card, byId.get(card.task))),
    ),
    ...section(
      colors.bold('Landing'),
      summary.queue.flatMap(({ id, resolver }) => {
        const record = byId.get(id)
        return record ? [caseLine(colors, record, resolver === null ? '' : `${resolver} resolves`)] : []
      }),
    ),
    ...section(
      colors.bold('For you'),
      summary.inbox.map(({ id, question }) => `  ${id.padEnd(9)} ${headline(question, QUESTION_WIDTH)}`),
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

function countRows(colors: Colors, { counts }: Summary): string[] {
  return (Object.keys(CASE_TYPES) as CaseRecord['type'][])
    .filter((type) => counts[type])
    .map((type) => {
      const parts = Object.entries(counts[type] ?? {}).map(
        ([word, n]) => `${statusMark(colors, word as CaseRecord['status'])} ${n} ${word}`,
      )
      return `${typeMark(colors, type)} ${type.padEnd(10)} ${parts.join('  ')}`
    })
}

/** Mode and cost are shown once there is something to show. */
function standingRows(colors: Colors, { project, cost, tasks: { unpublished } }: Summary): string[] {
  const rows = [
    ...(project.paused === null ? [] : [colors.yellow(`Paused: ${plainLine(project.paused)}`)]),
    ...(unpublished > 0 ? [colors.yellow(`Landed, not on your branch yet: ${unpublished}`)] : []),
    ...(cost.runs + cost.tokens + cost.costUsd > 0
      ? [`Spent: $${cost.costUsd.toFixed(2)}, ${cost.tokens} tokens in ${cost.runs} runs`]
      : []),
  ]
  return rows.length > 0 ? ['', ...rows] : []
}

function agentLine(colors: Colors, card: AgentCard, record: CaseRecord | undefined): string {
  const { agent, stage, state, iteration, progress } = card
  const far = progress === undefined ? '' : `, ${progress} %`
  const doing = state === 'holding' ? '' : `, ${state}${iteration > 1 ? ` ${iteration}` : ''}${far}`
  const note = `${agent}${stage === null ? '' : `, ${stage}`}${doing}`
  return record ? caseLine(colors, record, note) : `  ${plainLine(note)}`
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const more = lines.length > LINES_SHOWN ? [`  … and ${lines.length - LINES_SHOWN} more`] : []
  return ['', `${title} (${lines.length})`, ...lines.slice(0, LINES_SHOWN), ...more]
}
