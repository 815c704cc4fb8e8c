import type { Definition } from './definition.ts'
import type { Finding, Problem, Signal } from './finding.ts'
import {
  PROBLEM_REPEATS_MAX,
  PROBLEMS_PER_ITERATION_MAX,
  REMARKS_PER_ITERATION_MAX,
  VERDICTS_PER_MESSAGE_MAX,
} from './limits.ts'

interface Verdict {
  readonly signal: Signal
  readonly raw: string
}

/** Holds back verdicts until it is known which message was the last, and keeps a flood of findings bounded. */
export class FindingLedger {
  #ready: Finding[] = []
  /** Verdicts of the message under way, and of the last one before it that said anything. */
  #current: Verdict[] = []
  #previous: Verdict[] = []
  #remarks = 0
  #problems = 0
  readonly #repeats = new Map<string, number>()
  #floodReported = false

  addSignal(signal: Signal, counts: Definition['counts'], raw: string): void {
    if (counts === 'last-message') {
      this.#current.push({ signal, raw })
      if (this.#current.length > VERDICTS_PER_MESSAGE_MAX) this.#drop(this.#current.shift())
    } else if (this.#remarks < REMARKS_PER_ITERATION_MAX) {
      this.#remarks += 1
      this.#ready.push(signal)
    } else this.#drop({ signal, raw })
  }

  addProblem(problem: Problem): void {
    if (this.#problems >= PROBLEMS_PER_ITERATION_MAX) return
    const key = `${problem.code} ${problem.raw}`
    const repeats = this.#repeats.get(key) ?? 0
    if (repeats >= PROBLEM_REPEATS_MAX) return
    this.#repeats.set(key, repeats + 1)
    this.#problems += 1
    this.#ready.push(problem)
  }

  endMessage(): void {
    for (const { signal, raw } of this.#previous) {
      this.addProblem(
        problemOf(signal, raw, 'SIGNAL_NOT_LAST', 'a later message followed; only the last one counts'),
      )
    }
    this.#previous = this.#current
    this.#current = []
  }

  endIteration(): void {
    this.#ready.push(...this.#previous.map(({ signal }) => signal))
    this.#previous = []
  }

  /** What has become certain since the last call. */
  take(): Finding[] {
    if (this.#ready.length === 0) return []
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #drop(verdict: Verdict | undefined): void {
    if (verdict === undefined || this.#floodReported) return
    this.#floodReported = true
    this.#ready.push(
      problemOf(verdict.signal, verdict.raw, 'SIGNAL_FLOOD', 'too many signals; this and others are dropped'),
    )
  }
}

function problemOf(signal: Signal, raw: string, code: Problem['code'], reason: string): Problem {
  return { kind: 'problem', code, raw, type: signal.type, reason, message: signal.message, line: signal.line }
}
