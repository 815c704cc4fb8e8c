import type { Entry } from '../../src/integration/entry.ts'

/** What git knows, and what no process takes along when it dies. */
export class SimulatedGit {
  /** The target of record, the oldest first. */
  readonly target: { readonly task: string; readonly source: string; readonly commit: string }[] = []
  /** Commits of remediators. */
  readonly repairs = new Set<string>()
  /** Tasks that must not land any more, with how many commits the target had when that was said. */
  readonly #forbidden = new Map<string, number>()
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

  /** From now on nothing of this task may come onto the target. */
  forbid(task: string): void {
    this.#forbidden.set(task, this.target.length)
  }

  /** Tasks that came onto the target after they were forbidden. */
  trespassers(): string[] {
    const isTrespasser = ({ task }: { task: string }, at: number): boolean =>
      at >= (this.#forbidden.get(task) ?? Number.POSITIVE_INFINITY)
    return this.target.filter(isTrespasser).map(({ task }) => task)
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
