import { type AssemblyOptions, assemblePrompt } from '../personas/assemble-prompt.ts'
import type { Feedback, Iteration, PromptInput } from '../personas/prompt-input.ts'
import { chooseSignal } from '../signals/choose-signal.ts'
import type { Signal } from '../signals/finding.ts'
import { formatProblemLog } from '../signals/signal-log.ts'
import { callAgent } from './call-agent.ts'
import {
  decideRole,
  newRoleTally,
  type RoleEnd,
  type RoleNext,
  type RoleTally,
  roleDeadlineMs,
} from './decide-role.ts'
import { formatLogEntry, type LogEntry, signalEntry } from './execution-log.ts'
import type { Heard, Listeners } from './follow-iteration.ts'
import { objectToVerdict } from './object-to-verdict.ts'
import type { RunControl } from './run-control.ts'
import type { RunLimits } from './run-limits.ts'
import type { RunState } from './run-machine.ts'
import type { LiveRow, RunPorts } from './run-ports.ts'
import { rowOf } from './show-signal.ts'
import { sleepOut, wakeTime } from './sleep-out.ts'
import { standingNews } from './standing-news.ts'
import { addSpent, type Learnt, learntOf, NOTHING_SPENT, type Spent } from './task-progress.ts'

/** One piece of work whose result is a signal. */
export interface RoleOrder {
  readonly prompt: Omit<PromptInput, 'iteration'>
  readonly first: Iteration
  /** The task that the signal is about; an expert's assignment is named after its request instead. */
  readonly task: string
  readonly limits: RunLimits
  readonly assembly?: AssemblyOptions
}

export interface RolePorts
  extends Pick<RunPorts, 'startAgent' | 'log' | 'logProblem' | 'show' | 'clock' | 'random' | 'quotaPlace'> {
  /** The workspace's objections to a signal just given; empty when there are none. */
  object(signal: Signal): Promise<readonly Feedback[]>
  keep(learnt: readonly Learnt[]): Promise<void>
}

export interface RolePlayed {
  readonly end: RoleEnd
  /** The number of the last iteration. */
  readonly iteration: number
  readonly iterations: number
  readonly durationMs: number
  readonly spent: Spent
}

/** Runs an agent in its role until it has given its signal, or is lost. `decideRole` makes every decision. */
export function playRole(ports: RolePorts, order: RoleOrder, control: RunControl): Promise<RolePlayed> {
  return new Part(ports, order, control).play()
}

class Part {
  readonly #ports: RolePorts
  readonly #order: RoleOrder
  readonly #control: RunControl
  #tally: RoleTally
  #news: Iteration
  #spent = NOTHING_SPENT
  #row: Partial<LiveRow> = {}

  constructor(ports: RolePorts, order: RoleOrder, control: RunControl) {
    this.#ports = ports
    this.#order = order
    this.#control = control
    this.#news = order.first
    this.#tally = newRoleTally(order.prompt.role, ports.clock.now())
  }

  async play(): Promise<RolePlayed> {
    await this.#log({ event: 'start', task: this.#order.task })
    for (;;) {
      const end = (await this.#pauseIfAsked()) ?? (await this.#step())
      if (end !== undefined) return this.#finish(end)
    }
  }

  async #step(): Promise<RoleEnd | undefined> {
    const { prompt, heard } = await this.#call()
    this.#spent = addSpent(this.#spent, heard.spent)
    const said = heard.end.kind === 'completed' ? chooseSignal(heard.signals) : null
    await this.#record(prompt, heard)
    const { signals: names } = this.#order.prompt.vocabulary
    const objections =
      said === null
        ? []
        : [...objectToVerdict(said, heard.problems, names), ...(await this.#ports.object(said))]
    const { clock, random } = this.#ports
    const { limits } = this.#order
    const { next, tally } = decideRole(
      this.#tally,
      { end: heard.end, said, objections },
      limits,
      clock.now(),
      random(),
    )
    this.#tally = tally
    return this.#follow(next)
  }

  async #call(): Promise<{ prompt: string; heard: Heard }> {
    const { prompt: input, assembly, task, limits } = this.#order
    const messages = [...(this.#news.messages ?? []), ...this.#control.takeMessages()]
    this.#news = messages.length > 0 ? { ...this.#news, messages } : this.#news
    const { system, message } = assemblePrompt({ ...input, iteration: this.#news }, assembly)
    this.#show('iteration')
    const call = {
      order: { iteration: this.#news.number, systemPrompt: system, prompt: message },
      parsing: { names: input.vocabulary.signals, role: input.role, task },
      deadlineMs: roleDeadlineMs(this.#tally, limits),
      listeners: this.#listeners(),
    }
    return { prompt: message, heard: await callAgent(this.#ports, call, this.#control) }
  }

  #listeners(): Listeners {
    const { clock } = this.#ports
    return {
      onSignal: (signal) => {
        this.#control.hear(signal)
        const row = rowOf(signal)
        if (row) this.#show('iteration', row)
      },
      onActivity: (activity) => this.#show('iteration', { activity }),
      onServiceWait: (reason, delayMs) =>
        this.#show('iteration', { waiting: { reason, untilMs: clock.now() + delayMs } }),
    }
  }

  async #record(prompt: string, heard: Heard): Promise<void> {
    const { agent } = this.#order.prompt
    const { task } = this.#order
    if (heard.end.kind !== 'rate-limited')
      await this.#log({ event: 'iteration', number: this.#news.number, input: prompt, output: heard.output })
    for (const signal of heard.signals) await this.#log(signalEntry(signal))
    for (const problem of heard.problems) {
      const ts = new Date(this.#ports.clock.now()).toISOString()
      await this.#ports.logProblem(formatProblemLog(problem, { ts, agent, task }))
    }
    const learnt = learntOf(heard.signals)
    if (learnt.length > 0) await this.#ports.keep(learnt)
  }

  async #follow(next: RoleNext): Promise<RoleEnd | undefined> {
    switch (next.kind) {
      case 'end':
        return next.end.kind === 'stopped' ? (this.#endIfAsked() ?? next.end) : next.end
      case 'wait':
        return this.#wait(next)
      case 'iterate': {
        const { feedback, recovery, warning } = next
        if (warning !== undefined) await this.#log({ event: 'warning', kind: 'silent', message: warning })
        this.#news = {
          ...standingNews(this.#order.first, feedback),
          number: this.#news.number + 1,
          ...(recovery === undefined ? {} : { recovery: { reason: `The last attempt failed: ${recovery}` } }),
        }
        return undefined
      }
    }
  }

  /** Repeats the same iteration later. */
  async #wait(wait: Extract<RoleNext, { kind: 'wait' }>): Promise<RoleEnd | undefined> {
    const { reason } = wait
    const untilMs = wakeTime(this.#ports, wait)
    this.#show('waiting', { waiting: { reason, untilMs } })
    await this.#log({ event: 'wait', reason, until: new Date(untilMs).toISOString() })
    await this.#rest(() => sleepOut(this.#ports, wait, this.#control.ending))
    return this.#endIfAsked()
  }

  async #pauseIfAsked(): Promise<RoleEnd | undefined> {
    if (this.#control.isPaused && !this.#control.isEnding) {
      this.#show('paused')
      await this.#rest(() => this.#control.resumed())
    }
    return this.#endIfAsked()
  }

  /** An agent that gave no sign when asked for one is lost; one that a person stopped is not. */
  #endIfAsked(): RoleEnd | undefined {
    const { isEnding, expiry } = this.#control
    if (expiry !== undefined) return { kind: 'lost', cause: 'timed-out', reason: expiry }
    return isEnding ? { kind: 'stopped' } : undefined
  }

  async #rest(wait: () => Promise<void>): Promise<void> {
    const { clock } = this.#ports
    const sinceMs = clock.now()
    await wait()
    this.#tally = { ...this.#tally, waitedMs: this.#tally.waitedMs + clock.now() - sinceMs }
  }

  async #finish(end: RoleEnd): Promise<RolePlayed> {
    const durationMs = this.#ports.clock.now() - this.#tally.startedAtMs
    const { iterations } = this.#tally
    this.#control.close()
    this.#show(FINAL[end.kind])
    await this.#log({ ...ENDINGS[end.kind], ...reasonOf(end), durationMs, iterations })
    return { end, iteration: this.#news.number, iterations, durationMs, spent: this.#spent }
  }

  #show(state: RunState, change: Partial<LiveRow> = {}): void {
    const { agent } = this.#order.prompt
    this.#row = { ...(state === 'iteration' ? this.#row : {}), ...change }
    this.#ports.show({
      ...this.#row,
      agent,
      task: this.#order.task,
      state,
      iteration: this.#news.number,
      elapsedMs: this.#ports.clock.now() - this.#tally.startedAtMs,
    })
  }

  #log(entry: LogEntry): Promise<void> {
    return this.#ports.log(formatLogEntry(this.#order.prompt.vocabulary, this.#ports.clock.now(), entry))
  }
}

const FINAL = { spoke: 'completed', lost: 'failed', stopped: 'stopped' } as const
const ENDINGS = {
  spoke: { event: 'complete' },
  lost: { event: 'restart' },
  stopped: { event: 'stopped' },
} as const

function reasonOf(end: RoleEnd): { reason?: string } {
  return end.kind === 'lost' ? { reason: `${end.cause}: ${end.reason}` } : {}
}
