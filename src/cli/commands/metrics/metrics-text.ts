import { describeUse } from '../../../health/budgets/budget-standing.ts'
import type { Forecast } from '../../../health/budgets/forecast.ts'
import type { Spend } from '../../../health/budgets/spend.ts'
import type { RunGroup } from '../../../runs/summarize-runs.ts'
import type { Colors } from '../../context.ts'
import { headline } from '../../render/plain-text.ts'
import type { DirectiveMetrics, ProjectMetrics } from './measure-project.ts'

const ROWS_SHOWN_MAX = 10
const NEED_WIDTH = 60
const MS_PER_MINUTE = 60_000
const MICRO_PER_DOLLAR = 1_000_000

/** The figures for people. */
export function metricsText(colors: Colors, { runs, directives, pressed }: ProjectMetrics): string {
  const { total, sessions, personas, agents } = runs
  const blocks = [
    total.runs === 0
      ? ['Nothing has run yet.']
      : [
          ...table(colors, 'All', [total]),
          ...table(colors, 'Sessions', sessions.slice(-ROWS_SHOWN_MAX)),
          ...table(colors, 'By persona', personas),
          ...table(colors, 'Agents', agents.slice(-ROWS_SHOWN_MAX)),
        ],
    ...directives.map((directive) => directiveText(colors, directive)),
    pressed.length === 0
      ? []
      : [colors.bold('Budgets'), ...pressed.map((use) => colors.yellow(`  ${describeUse(use)}`))],
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function table(colors: Colors, title: string, groups: readonly RunGroup[]): string[] {
  return [colors.bold(title), ...groups.map((group) => `  ${groupText(group)}`)]
}

function groupText({ name, runs, figures }: RunGroup): string {
  const { completed, failed, iterations, durationMs, tokens, costUsd } = figures
  const judged = completed + failed
  const rate = judged === 0 ? '' : ` (${Math.round((100 * completed) / judged)} %)`
  return [
    name.padEnd(12),
    `${runs} runs`,
    `${completed} completed, ${failed} failed${rate}`,
    `${iterations} iterations`,
    minutes(durationMs),
    `${tokens.input + tokens.output} tokens`,
    `$${costUsd.toFixed(2)}`,
  ].join('  ')
}

function directiveText(
  colors: Colors,
  { id, content, spend, forecast, standing }: DirectiveMetrics,
): string[] {
  const state = standing.kind === 'within' ? [] : [colors.yellow(`  ${describeUse(standing.use)}`)]
  return [
    `${colors.bold(id)} ${headline(content, NEED_WIDTH)}`,
    `  spent     ${spendText(spend)}`,
    `  expected  ${spendText(forecast.total)} with ${forecast.tasksOpen} open tasks (${basisText(forecast)})`,
    ...state,
  ]
}

/** What a forecast rests on. */
export function basisText({ tasksSeen, isPriced }: Forecast): string {
  const price = isPriced ? '' : '; no price is known yet'
  if (tasksSeen === 0) return `an estimate: no task is done yet${price}`
  return `from ${tasksSeen} ${tasksSeen === 1 ? 'task that is' : 'tasks that are'} done${price}`
}

export function spendText({ tokens, microUsd, ms, runs }: Spend): string {
  const money = microUsd > 0 ? `, $${(microUsd / MICRO_PER_DOLLAR).toFixed(2)}` : ''
  return `${tokens} tokens${money}, ${minutes(ms)}, ${runs} runs`
}

function minutes(ms: number): string {
  return `${Math.round(ms / MS_PER_MINUTE)} min`
}
