import type { Entry } from '../../src/integration/entry.ts'

/** What git knows, and what no process takes along when it dies. */
export class SimulatedGit {
  /** The target of record, the oldest first. */
  readonly target: { readonly task: string; readonly source: string; readonly commit: string }[] = []
  /** Commits of remediators. */
  readonly repairs = new Set<string>()
  #serial = 0

  commit(): string {
    this.#serial += 1
    return this.#serial.toString(16).padStart(40, '0')
  }

  repair(): string {
    const commit = this.commit()
    this.repairs.add(commit)
    return commit
  }

  find({ task, source }: Pick<Entry, 'task' | 'source'>): string | undefined {
    return this.target.find((one) => one.task === task && one.source === source)?.commit
  }

  land({ task, source }: Entry): string {
    const commit = this.commit()
    this.target.push({ task, source, commit })
    return commit
  }
}
