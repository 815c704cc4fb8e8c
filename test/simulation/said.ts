import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import { configSchema } from '../../src/config/schema.ts'
import { DELIVERY_KEY, type DeliveryStateName, newDelivery } from '../../src/delivery/delivery-state.ts'
import { WORK } from '../../src/delivery/delivery-table.ts'
import type { DeliverySignal, Sender } from '../../src/delivery/occurrence.ts'
import { Director } from '../../src/director/director.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import type { PersonEventContext } from '../../src/project/delivery/event-context.ts'
import { changeProject } from '../../src/project/document.ts'
import { CLAIMED_KEY } from '../../src/project/effective-delivery.ts'
import { answerQuestion } from '../../src/project/interventions/answer-question.ts'
import { overrideCase } from '../../src/project/interventions/override-case.ts'
import { retryTask } from '../../src/project/interventions/retry-task.ts'
import { reviewTask } from '../../src/project/interventions/review-task.ts'
import type { Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { bringTo, LEDGER } from '../delivery-places.ts'
import { CRITERIA, DeliveryRig, TASK } from '../delivery-rig.ts'
import { Life } from './life.ts'
import { openMortalStore } from './mortal-store.ts'
import { scriptHands } from './scripted-hands.ts'
import { SimulatedClock } from './simulated-clock.ts'

export interface Said {
  readonly state: DeliveryStateName
  readonly signal: DeliverySignal
  readonly sender: Sender
  /** The agent that was at work when the last director died had been asked for a sign. */
  readonly isAsked?: boolean
}

const MINUTE_MS = 60_000
const STEPS_MAX = 400
const CONFIG = configSchema.parse({ review: { defaultMode: 'skip' } })
const WORDS: PersonEventContext = {
  limits: CONFIG.review,
  budgets: CONFIG.budgets,
  changedLines: async () => ({ 'src/health.ts': [[10, 20]] }),
  experts: async () => [LEDGER],
  standingAnswer: async () => null,
  logRefusal: async () => undefined,
}

/** How long each wait of a state is, and a little more. */
const WAIT_MINUTES: Readonly<Partial<Record<DeliveryStateName, number>>> = {
  consulting: 31,
  asking: 24 * 60 + 1,
  'file-waiting': 11,
}

/** A task that waits for a person with the file that the first one needs. */
const HOLDER: readonly CaseCommand[] = [
  {
    kind: 'create',
    type: 'task',
    parentId: 'op-001',
    content: 'another',
    metadata: { acceptanceCriteria: [...CRITERIA], fileHints: ['src/a.ts'] },
  },
  { kind: 'claim', id: 'task-002', stage: 'develop', holder: 'echo-009', ttlMs: 24 * 60 * MINUTE_MS },
  {
    kind: 'update',
    id: 'task-002',
    metadata: { [DELIVERY_KEY]: { ...newDelivery(), state: 'person-review', commit: 'commit-9' } },
  },
  { kind: 'move', id: 'task-002', status: 'review', reason: 'it waits for a look' },
]

/**
 * Puts a task into the state on a real store, lets a real director, or a person's command, work on it in a world that
 * gives the occasion for the word, and answers with every word that was said about the task since.
 */
export async function sayInState(said: Said): Promise<string[]> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'axiom-said-'))
  try {
    mkdirSync(join(folder, '.axiom'))
    return await new Occasion(said, join(folder, '.axiom')).play()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

class Occasion {
  readonly #said: Said
  readonly #folder: string
  readonly #clock = new SimulatedClock()
  readonly #life = new Life(Number.POSITIVE_INFINITY, false)
  readonly #store: Store

  constructor(said: Said, folder: string) {
    this.#said = said
    this.#folder = folder
    const kept = { blobs: new Map(), numbers: new Map() }
    this.#store = openMortalStore(folder, this.#life, () => this.#clock.instant(), kept).plain
  }

  async play(): Promise<string[]> {
    await this.#setScene()
    const before = (await this.#store.history(TASK)).length
    if (this.#said.sender === 'person') await this.#decide()
    else await this.#direct(before)
    const reasons = await this.#reasonsSince(before)
    await this.#store.close()
    return reasons
  }

  async #setScene(): Promise<void> {
    const { state, signal } = this.#said
    const rig = new DeliveryRig(signal === 'UNDERSPECIFIED' ? [] : CRITERIA)
    bringTo(rig, state, { experts: [LEDGER] })
    const stage = WORK[state]?.stage
    const isLeft = signal === 'WAIT_ENDED' && stage && state !== 'developing'
    if (isLeft) {
      // Asked for a sign, then dismissed together with its director.
      rig.tell('CHECKPOINT_ASKED', 'director')
      rig.run([{ kind: 'release', id: TASK, stage }])
    }
    if (this.#said.isAsked) rig.tell('CHECKPOINT_ASKED', 'director')
    await this.#commit(rig.commands)
    const fence = rig.task.leases?.develop?.fence
    if (fence !== undefined)
      await this.#commit([{ kind: 'update', id: TASK, metadata: { [CLAIMED_KEY]: fence } }])
    if (state === 'file-waiting' && signal === 'WAIT_ENDED') await this.#commit(HOLDER)
    await changeProject(this.#store, 'tests', (project) => ({ ...project, mode: 'autopilot' }))
    const minutes = WAIT_MINUTES[state] ?? (isLeft ? 3 : 0)
    if (signal === 'WAIT_ENDED') for (let left = minutes; left > 0; left--) this.#clock.advance(MINUTE_MS)
  }

  async #commit(commands: readonly CaseCommand[]): Promise<void> {
    const answer = await this.#store.transact({ commands, by: 'tests' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
  }

  async #reasonsSince(before: number): Promise<string[]> {
    const entries = (await this.#store.history(TASK)).slice(before)
    return entries.map(({ reason }) => reason).filter((reason) => reason.includes(' → '))
  }

  /** A director at work until the word was said, or nothing more comes. */
  async #direct(before: number): Promise<void> {
    const life = this.#life
    const hands = scriptHands(this.#said, { life, clock: this.#clock })
    const director = new Director({
      rules: rulesOf(CONFIG, { slots: 1, nonInteractive: false }),
      backstopMs: MINUTE_MS,
      means: {
        store: this.#store,
        hands,
        words: WORDS,
        clock: this.#clock,
        vocabulary: AXIOM,
        failuresBeforePause: 9,
        record: async () => undefined,
        notify: () => undefined,
      },
    })
    let isOver = false
    let trouble: unknown
    const running = director.run().then(
      () => {
        isOver = true
      },
      (error: unknown) => {
        isOver = true
        trouble = error
      },
    )
    for (let steps = 0; !isOver && steps < STEPS_MAX; steps += 1) {
      await life.rest()
      if ((await this.#reasonsSince(before)).some((reason) => isWord(reason, this.#said)))
        director.leave('now')
      this.#clock.advance(MINUTE_MS)
    }
    if (!isOver) director.leave('now')
    for (let steps = 0; !isOver && steps < STEPS_MAX; steps += 1) {
      await life.rest()
      this.#clock.advance(MINUTE_MS)
    }
    await running
    if (trouble !== undefined) throw trouble
  }

  async #decide(): Promise<unknown> {
    const store = this.#store
    switch (this.#said.signal) {
      case 'APPROVED':
      case 'CHANGES_REQUESTED':
        return reviewTask(store, WORDS, this.#folder, {
          id: TASK,
          by: 'user',
          decision: this.#said.signal === 'APPROVED' ? 'approve' : 'changes',
          issues: ['tests'],
          text: null,
          option: null,
          hint: null,
        })
      case 'ANSWERED':
        return answerQuestion(store, WORDS, { id: TASK, text: 'the usual one', by: 'user' })
      case 'HALT':
        return answerQuestion(store, WORDS, { id: TASK, text: 'halt', by: 'user' })
      case 'RETRY':
        return retryTask(store, WORDS, 'user', TASK)
      case 'OVERRIDE':
        return overrideCase(store, WORDS, 'user', TASK)
      default:
        return undefined
    }
  }
}

/** Whether a line of the history tells of this word in this state; a tag counts for the line that it equals. */
export function isWord(reason: string, { state, signal }: Said): boolean {
  const names = [signal, ...(EQUALS[signal] ?? [])]
  return names.some((name) => reason.startsWith(`${name} by `)) && reason.includes(`: ${state} → `)
}

const EQUALS: Readonly<Record<string, readonly string[]>> = { READY_FOR_REVIEW: ['COMPLETE'] }
