import { addRun, type Figures, NO_FIGURES, type RunRecord } from './run-ledger.ts'

/** Runs that have something in common, summed. */
export interface RunGroup {
  readonly name: string
  readonly runs: number
  readonly firstAt: string
  readonly lastAt: string
  readonly figures: Figures
}

export interface RunSummary {
  readonly total: RunGroup
  /** The newest last. */
  readonly sessions: readonly RunGroup[]
  readonly personas: readonly RunGroup[]
  readonly agents: readonly RunGroup[]
}

/** Every figure that Ash keeps, computed from the lines of the history alone. */
export function summarizeRuns(runs: Iterable<RunRecord>): RunSummary {
  let total = emptyGroup('all')
  const sessions = new Map<string, RunGroup>()
  const personas = new Map<string, RunGroup>()
  const agents = new Map<string, RunGroup>()
  for (const run of runs) {
    total = addTo(total, run)
    for (const [groups, name] of [
      [sessions, run.session],
      [personas, run.persona],
      [agents, run.agent],
    ] as const) {
      groups.set(name, addTo(groups.get(name) ?? emptyGroup(name), run))
    }
  }
  return {
    total,
    sessions: [...sessions.values()].toSorted((a, b) => (a.lastAt < b.lastAt ? -1 : 1)),
    personas: [...personas.values()].toSorted(byName),
    agents: [...agents.values()].toSorted(byName),
  }
}

function byName(a: RunGroup, b: RunGroup): number {
  return a.name.localeCompare(b.name)
}

function emptyGroup(name: string): RunGroup {
  return { name, runs: 0, firstAt: '', lastAt: '', figures: NO_FIGURES }
}

function addTo({ name, runs, firstAt, lastAt, figures }: RunGroup, run: RunRecord): RunGroup {
  return {
    name,
    runs: runs + 1,
    firstAt: firstAt === '' || run.at < firstAt ? run.at : firstAt,
    lastAt: run.at > lastAt ? run.at : lastAt,
    figures: addRun(figures, run),
  }
}
