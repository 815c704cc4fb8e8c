import assert from 'node:assert'
import type { TaskExecution } from '../cases/metadata.ts'
import { type AssemblyOptions, assemblePrompt } from '../personas/assemble-prompt.ts'
import type { Iteration, PromptInput } from '../personas/prompt-input.ts'
import { Failure } from '../platform/failure.ts'
import { formatProblemLog } from '../signals/signal-log.ts'
import type { ProofOutcome } from '../verification/prove-completion.ts'
import { callAgent } from './call-agent.ts'
import { type Decision, deadlineMs, decideNext, type Next, newTally, type RunTally } from './decide-next.ts'
import { formatLogEntry, type LogEntry, signalEntry } from './execution-log.ts'
import type { Heard, Listeners } from './follow-iteration.ts'
import type { IterationResult } from './iteration-result.ts'
import type { RunControl } from './run-control.ts'
import type { RunEnd, RunResult } from './run-end.ts'
import type { RunLimits } from './run-limits.ts'
import { advance, type RunEvent, type RunState } from './run-machine.ts'
import type { LiveRow, RunPorts } from './run-ports.ts'
import { rowOf } from './show-signal.ts'
import { sleepOut, wakeTime } from './sleep-out.ts'
import { standingNews } from './standing-news.ts'
import { addSignals, addSpent, learntOf, NOTHING_SPENT, withError } from './task-progress.ts'
import { verdictOf } from './verdict.ts'

/** One task for one agent. */
export interface RunOrder {
  /** What stays the same from one iteration to the next. */
  readonly prompt: Omit<PromptInput, 'iteration'>
  /** What is new in the first one: answers, earlier events, messages. */
  readonly first: Iteration
  /** What the task records of its runs so far. */
  readonly execution: TaskExecution
  /** The current commit of the workspace. */
  readonly head: string
  readonly limits: RunLimits
  readonly assembly?: AssemblyOptions
}

/** Runs iterations until one of them ends the run. `decideNext` makes every decision. */
export function runIterations(ports: RunPorts, order: RunOrder, control: RunControl): Promise<RunResult> {
  return new Run(ports, order, control).play()
}

type Seen = Awaited<ReturnType<RunPorts['inspect']>>

const UNVERIFIED = 'no check is configured: nothing but the commit itself is proven'

class Run {
  readonly #ports: RunPorts
  readonly #order: RunOrder
  readonly #control: RunControl
  #state: RunState = 'preparing'
  #tally: RunTally
  #news: Iteration
  #execution: TaskExecution
  #head: string
  #spent = NOTHING_SPENT
  #row: Partial<LiveRow> = {}

  constructor(ports: RunPorts, order: RunOrder, control: RunControl) {
    this.#ports = ports
    this.#order = order
    this.#control = control
    this.#news = order.first
    this.#execution = order.execution
    this.#head = order.head
    const role = order.prompt.role
    this.#tally = newTally(role, ports.clock.now(), order.execution.retryCount ?? 0)
  }

  async play(): Promise<RunResult> {
    await this.#log({ event: 'start', task: this.#task })
    this.#move('READY')
    for (;;) {
      const end = await this.#step()
      if (end !== undefined) return this.#finish(end)
    }
  }

  get #task(): string {
    return this.#order.prompt.assignment.id
  }

  /** One iteration and what follows it; the end of the run when it is the last. */
  async #step(): Promise<RunEnd | undefined> {
    const paused = await this.#pauseIfAsked()
    if (paused !== undefined) return paused
    const { heard, result } = await this.#iterate()
    const { clock, random } = this.#ports
    const decision = decideNext(this.#tally, result, this.#order.limits, clock.now(), random())
    this.#tally = decision.tally
    if (!(await this.#keep(heard, result, decision.next))) return { kind: 'fence-lost' }
    return this.#follow(decision)
  }

  async #iterate(): Promise<{ heard: Heard; result: IterationResult }> {
    const { prompt, heard } = await this.#callAgent()
    this.#spent = addSpent(this.#spent, heard.spent)
    const { end } = heard
    const verdict = verdictOf(heard.signals)
    if (end.kind !== 'rate-limited') {
      await this.#log({ event: 'iteration', number: this.#news.number, input: prompt, output: heard.output })
    }
    for (const signal of heard.signals) await this.#log(signalEntry(signal))
    await this.#logProblems(heard)
    const { signals, outputDigest } = heard
    const unseen = { end, verdict, signalled: signals.length > 0, outputDigest, gate: undefined }
    // The same iteration continues later; what it has committed until now is inspected then.
    if (end.kind === 'rate-limited') return { heard, result: { ...unseen, committed: false } }
    const seen = await this.#ports.inspect()
    const committed = await this.#noteCommit(seen)
    const isClaim = verdict?.kind === 'complete' && end.kind === 'completed'
    const gate = isClaim ? await this.#verify(seen) : undefined
    if (gate === 'interrupted') return { heard, result: { ...unseen, end: { kind: 'stopped' }, committed } }
    return { heard, result: { ...unseen, committed, gate } }
  }

  async #noteCommit({ head }: Seen): Promise<boolean> {
    if (head.kind === 'refused' || head.commit === this.#head) return false
    this.#head = head.commit
    await this.#log({ event: 'commit', commit: head.commit })
    return true
  }

  async #callAgent(): Promise<{ prompt: string; heard: Heard }> {
    const { prompt: input, assembly } = this.#order
    const messages = [...(this.#news.messages ?? []), ...this.#control.takeMessages()]
    this.#news = messages.length > 0 ? { ...this.#news, messages } : this.#news
    const { system, message } = assemblePrompt({ ...input, iteration: this.#news }, assembly)
    this.#show()
    const iteration = this.#news.number
    const call = {
      order: { iteration, systemPrompt: system, prompt: message },
      parsing: { names: input.vocabulary.signals, role: input.role, task: this.#task },
      deadlineMs: deadlineMs(this.#tally, this.#order.limits),
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
        if (row) this.#show(row)
      },
      onActivity: (activity) => this.#show({ activity }),
      onServiceWait: (reason, delayMs) => this.#show({ waiting: { reason, untilMs: clock.now() + delayMs } }),
    }
  }

  async #verify(seen: Seen): Promise<ProofOutcome | 'interrupted'> {
    this.#move('CLAIMED')
    const proof = await this.#prove(seen)
    if (proof === 'interrupted') return proof
    const checks =
      'checks' in proof ? proof.checks.map(({ name, code }) => `${name}: ${code ?? 'passed'}`) : []
    await this.#log({ event: 'verification', result: proof.kind, checks })
    if (proof.kind === 'proven' && proof.empty) {
      await this.#log({ event: 'warning', kind: 'unverified', message: UNVERIFIED })
      this.#show({ warning: UNVERIFIED })
    }
    return proof
  }

  /** A stop does not wait for the run's checks. */
  async #prove(seen: Seen): Promise<ProofOutcome | 'interrupted'> {
    try {
      return await this.#ports.prove(seen, this.#news.number)
    } catch (error) {
      if (error instanceof Failure && error.code === 'INTERRUPTED') return 'interrupted'
      throw error
    }
  }

  /** One commit per iteration: its result is kept before anything follows from it. */
  async #keep(heard: Heard, result: IterationResult, next: Next): Promise<boolean> {
    const isCounted = heard.end.kind !== 'rate-limited' && heard.end.kind !== 'stopped'
    const iterations = (this.#execution.iterations ?? 0) + (isCounted ? 1 : 0)
    const counted = { ...addSignals(this.#execution, heard.signals), iterations }
    this.#execution = withGate(withError(counted, errorOf(heard)), result.gate)
    const warnings = next.kind === 'iterate' ? next.warnings : []
    for (const { kind, message } of warnings) await this.#log({ event: 'warning', kind, message })
    const discoveries = learntOf(heard.signals)
    const isQuiet = heard.end.kind === 'rate-limited' && discoveries.length === 0
    return (
      isQuiet ||
      this.#ports.keep({
        execution: this.#execution,
        discoveries,
        warnings: warnings.map(({ message }) => message),
        spent: this.#spent,
        activeMs: this.#ports.clock.now() - this.#tally.startedAtMs - this.#tally.waitedMs,
      })
    )
  }

  async #follow({ next }: Decision): Promise<RunEnd | undefined> {
    switch (next.kind) {
      case 'iterate':
        this.#goOn(next)
        return undefined
      case 'wait':
        return this.#wait(next)
      case 'deliver':
        return this.#endBy('ALL_PASS', { ...next, kind: 'complete' })
      case 'block':
        return this.#endBy('BLOCK', { ...next, kind: 'blocked' })
      case 'ask':
        return this.#endBy('BLOCK', { kind: 'pending', question: next.question, signal: next.signal })
      case 'refer':
        return this.#endBy('BLOCK', { ...next, kind: 'referred' })
      case 'fail':
        return this.#endBy('FAIL', { kind: 'failed', reason: next.reason })
      case 'time-out':
        return this.#endBy('LIMIT', { kind: 'timeout', reason: next.reason })
      case 'restart':
        return this.#endBy('FAIL', next)
      case 'stop':
        return this.#endStopped()
    }
  }

  #endStopped(): RunEnd {
    const { expiry } = this.#control
    if (expiry === undefined) return this.#endBy('STOP', { kind: 'stopped' })
    const event = advance(this.#state, 'LIMIT') ? 'LIMIT' : 'STOP'
    return this.#endBy(event, { kind: 'timeout', reason: expiry })
  }

  #endBy(event: RunEvent, end: RunEnd): RunEnd {
    this.#move(event)
    return end
  }

  #goOn({ feedback, recovery, warnings }: Extract<Next, { kind: 'iterate' }>): void {
    this.#move('RETRY')
    const warning = warnings.map(({ message }) => message).join('; ')
    if (warning !== '') this.#show({ warning })
    this.#news = {
      ...standingNews(this.#order.first, feedback),
      number: this.#news.number + 1,
      ...(recovery === undefined ? {} : { recovery: { reason: `The last attempt failed: ${recovery}` } }),
    }
  }

  /** Repeats the same iteration later, with everything that its prompt had to contain. */
  async #wait(wait: Extract<Next, { kind: 'wait' }>): Promise<RunEnd | undefined> {
    const { clock } = this.#ports
    const { reason } = wait
    const untilMs = wakeTime(this.#ports, wait)
    this.#move('WAIT')
    this.#show({ waiting: { reason, untilMs } })
    await this.#log({ event: 'wait', reason, until: new Date(untilMs).toISOString() })
    const sinceMs = clock.now()
    await sleepOut(this.#ports, wait, this.#control.ending)
    if (this.#control.isEnding) return this.#endStopped()
    this.#tally = { ...this.#tally, waitedMs: this.#tally.waitedMs + clock.now() - sinceMs }
    this.#move('RESUME')
    return undefined
  }

  async #pauseIfAsked(): Promise<RunEnd | undefined> {
    if (this.#control.isEnding) return this.#endStopped()
    if (!this.#control.isPaused) return undefined
    const { clock } = this.#ports
    this.#move('PAUSE')
    const sinceMs = clock.now()
    await this.#control.resumed()
    if (this.#control.isEnding) return this.#endStopped()
    this.#tally = { ...this.#tally, waitedMs: this.#tally.waitedMs + clock.now() - sinceMs }
    this.#move('RESUME')
    return undefined
  }

  async #finish(end: RunEnd): Promise<RunResult> {
    const durationMs = this.#ports.clock.now() - this.#tally.startedAtMs
    const { iterations } = this.#tally
    const reason = 'reason' in end ? { reason: end.reason } : {}
    await this.#log({ event: end.kind, ...reason, durationMs, iterations })
    const unread = this.#control.close()
    const { waitedMs } = this.#tally
    return { end, execution: this.#execution, iterations, durationMs, waitedMs, spent: this.#spent, unread }
  }

  #move(event: RunEvent): void {
    const to = advance(this.#state, event)
    assert(to, `a run that is in ${this.#state} cannot take ${event}`)
    this.#state = to
    this.#row = { ...(this.#row.progress === undefined ? {} : { progress: this.#row.progress }) }
    this.#show()
  }

  #show(change: Partial<LiveRow> = {}): void {
    this.#row = { ...this.#row, ...change }
    this.#ports.show({
      ...this.#row,
      agent: this.#order.prompt.agent,
      task: this.#task,
      state: this.#state,
      iteration: this.#news.number,
      elapsedMs: this.#ports.clock.now() - this.#tally.startedAtMs,
    })
  }

  #log(entry: LogEntry): Promise<void> {
    return this.#ports.log(formatLogEntry(this.#order.prompt.vocabulary, this.#ports.clock.now(), entry))
  }

  async #logProblems({ problems }: Heard): Promise<void> {
    const { agent } = this.#order.prompt
    for (const problem of problems) {
      const ts = new Date(this.#ports.clock.now()).toISOString()
      await this.#ports.logProblem(formatProblemLog(problem, { ts, agent, task: this.#task }))
    }
  }
}

function errorOf({ end }: Heard): string | undefined {
  return end.kind === 'failed' || end.kind === 'crashed' ? end.reason : undefined
}

function withGate(execution: TaskExecution, gate: ProofOutcome | undefined): TaskExecution {
  if (gate === undefined) return execution
  const results = 'checks' in gate ? gate.checks : []
  const sum = (field: 'passed' | 'failed') =>
    results.reduce((total, { tests }) => total + (tests?.[field] ?? 0), 0)
  return {
    ...execution,
    verificationPassed: gate.kind === 'proven',
    testsPassed: sum('passed'),
    testsTotal: sum('passed') + sum('failed'),
    ...(gate.kind === 'proven' ? { finalCommit: gate.proof.commit } : {}),
  }
}
