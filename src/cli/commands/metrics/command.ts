import type { Command } from 'commander'
import { readHistory } from '../../../runs/ash.ts'
import { metricsOf } from '../../../runs/run-ledger.ts'
import { type RunGroup, summarizeRuns } from '../../../runs/summarize-runs.ts'
import type { RecordKeys } from '../../../vocabulary/vocabulary.ts'
import { type Context, print } from '../../context.ts'
import { withExamples } from '../../examples.ts'
import { loadConfig } from '../../load-config.ts'
import { withStore } from '../../project.ts'
import { measureProject } from './measure-project.ts'
import { metricsText } from './metrics-text.ts'

export function define(command: Command, context: () => Context): void {
  command.action(() => showMetrics(context()))
  withExamples(command, 'axiom metrics', 'axiom metrics --json')
}

function showMetrics(context: Context): Promise<void> {
  return withStore(context, 'metrics', async (store, { folder, vocabulary }) => {
    const [records, history, { config }] = await Promise.all([
      store.query({ deleted: true }),
      readHistory(folder),
      loadConfig(folder),
    ])
    const metrics = measureProject(records, summarizeRuns(history), config.budgets)
    const { runs, ...rest } = metrics
    const shown = (group: RunGroup) => groupJson(group, vocabulary.records)
    const value = {
      total: shown(runs.total),
      sessions: runs.sessions.map(shown),
      personas: runs.personas.map(shown),
      agents: runs.agents.map(shown),
      ...rest,
    }
    print(context, value, () => metricsText(context.colors, metrics))
  })
}

function groupJson({ name, runs, firstAt, lastAt, figures }: RunGroup, keys: RecordKeys): object {
  return { name, runs, firstAt, lastAt, ...metricsOf({}, figures, keys) }
}
