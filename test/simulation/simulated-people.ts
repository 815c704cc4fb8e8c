import type { DeliveryStateName } from '../../src/delivery/delivery-state.ts'
import type { PERSON_EVENTS } from '../../src/delivery/occurrence.ts'
import { applyEvent } from '../../src/project/delivery/apply-event.ts'
import type { EventContext } from '../../src/project/delivery/event-context.ts'
import { personEvent } from '../../src/project/delivery/make-event.ts'
import { readProject } from '../../src/project/document.ts'
import { readEffectiveDelivery } from '../../src/project/effective-delivery.ts'
import { assignTask } from '../../src/project/interventions/assign-task.ts'
import { stopAgent, tellAgent } from '../../src/project/interventions/order-agent.ts'
import { pauseProject, resumeProject } from '../../src/project/interventions/pause-project.ts'
import { isStopped } from '../../src/project/orders.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import type { Random } from './random.ts'
import type { SimulatedGit } from './simulated-git.ts'
import { CRITERION } from './simulated-hands.ts'

type PersonsEvent = (typeof PERSON_EVENTS)[number]

/** A failed task is given this many further chances; after that its failure stands. */
const RETRIES_MAX = 2
const TASKS_ADDED_MAX = 2

/** People who answer, approve, retry, pause, stop, and have new wishes, whenever the seed wants. */
export class SimulatedPeople {
  readonly #random: Random
  readonly #words: EventContext
  readonly #git: SimulatedGit
  readonly #retries = new Map<string, number>()
  readonly #putOff = new Map<string, number>()
  #serial = 0
  #added = 0

  constructor(random: Random, words: EventContext, git: SimulatedGit) {
    this.#random = random
    this.#words = words
    this.#git = git
  }

  /** Something that only a person can bring on; false when there is nothing of that kind. */
  async help(store: Store): Promise<boolean> {
    const { project } = await readProject(store)
    if (project.pause !== null && project.pause.cause !== 'halt') {
      await resumeProject(store, 'user')
      return true
    }
    if (await this.#takeUp(store)) return true
    const tasks = await store.query({ type: 'task' })
    const waiting = tasks.filter((task) => this.#answerTo(task) !== undefined || isHeld(task))
    const task = this.#random.pick(waiting)
    if (!task) return false
    const event = this.#answerTo(task)
    if (event === undefined) await assignTask(store, 'user', task.id)
    else await this.#say(store, task, event)
    return true
  }

  /** What was put off is wanted after all; but not again and again. */
  async #takeUp(store: Store): Promise<boolean> {
    const deferred = await store.query({ type: 'deferred' })
    const task = deferred.find(({ id }) => (this.#putOff.get(id) ?? 0) <= RETRIES_MAX)
    if (!task) return false
    this.#putOff.set(task.id, (this.#putOff.get(task.id) ?? 0) + 1)
    const back = { kind: 'transition', id: task.id, type: 'task', reason: 'wanted after all' } as const
    return (await store.transact({ commands: [back], by: 'user' })).kind === 'committed'
  }

  #answerTo(task: CaseRecord): PersonsEvent | undefined {
    const read = readEffectiveDelivery(task)
    if (read.kind !== 'read' || task.status === 'done') return undefined
    const event = ANSWERS[read.delivery.state]
    if (event !== 'RETRY' || (this.#retries.get(task.id) ?? 0) < RETRIES_MAX) return event
    return read.delivery.state === 'repair-escalated' ? 'OVERRIDE' : undefined
  }

  async #say(store: Store, task: CaseRecord, event: PersonsEvent): Promise<void> {
    if (event === 'RETRY') this.#retries.set(task.id, (this.#retries.get(task.id) ?? 0) + 1)
    const read = readEffectiveDelivery(task)
    const commit = read.kind === 'read' ? read.delivery.commit : null
    const isUnhappy = event === 'APPROVED' && this.#random.chance(0.2)
    const signal = isUnhappy ? 'CHANGES_REQUESTED' : event
    const id = `person-${++this.#serial}`
    const occurrence = personEvent(task.id, signal, { id, by: 'user', commit, text: 'as you think best' })
    await applyEvent(store, this.#words, { about: task.id, occurrence })
  }

  /** Something that nobody asked for. */
  async meddle(store: Store): Promise<void> {
    const tasks = await store.query({ type: 'task' })
    const held = this.#random.pick(tasks.filter(({ leases }) => leases?.develop !== undefined))
    const agent = held?.leases?.develop?.holder
    switch (
      this.#random.weighed({
        pause: 2,
        tell: 2,
        stop: 2,
        add: 3,
        claim: 2,
        release: 1,
        withdraw: 2,
        defer: 2,
      })
    ) {
      case 'pause':
        await pauseProject(store, 'user')
        return
      case 'tell':
        if (agent) await tellAgent(store, 'user', agent, 'hurry')
        return
      case 'stop':
        if (agent) await stopAgent(store, 'user', agent)
        return
      case 'add':
        await this.#add(store)
        return
      case 'claim':
        await this.#claim(store)
        return
      case 'release':
        if (held?.status === 'active')
          await store.transact({ commands: [{ kind: 'release', id: held.id, stage: 'develop' }], by: 'user' })
        return
      case 'withdraw':
        await this.#withdraw(store, tasks)
        return
      case 'defer':
        await this.#defer(store, tasks)
        return
    }
  }

  /** Somebody does not want any more what is about to land. */
  async #withdraw(store: Store, tasks: readonly CaseRecord[]): Promise<void> {
    const task = this.#random.pick(tasks.filter(isAboutToLand))
    if (!task) return
    const answer = await store.transact({
      commands: [{ kind: 'delete', id: task.id, reason: 'not wanted any more' }],
      by: 'user',
    })
    if (answer.kind === 'committed') this.#git.forbid(task.id)
  }

  /** Somebody puts off what nobody has begun, or what somebody is at. */
  async #defer(store: Store, tasks: readonly CaseRecord[]): Promise<void> {
    const task = this.#random.pick(tasks.filter(({ status }) => status === 'pending' || status === 'active'))
    if (!task) return
    const command = { kind: 'transition', id: task.id, type: 'deferred', reason: 'not now' } as const
    await store.transact({ commands: [command], by: 'user' })
  }

  /** Urgent wishes without an end: there are always more of them than agents. */
  async press(store: Store, urgentMin: number): Promise<void> {
    const ready = await store.query({ ready: true })
    const missing = urgentMin - ready.filter(({ tags }) => tags?.includes('critical')).length
    for (let added = 0; added < missing; added += 1) await this.#want(store)
  }

  /** A new wish, more urgent than all others. */
  async #add(store: Store): Promise<void> {
    if (this.#added >= TASKS_ADDED_MAX) return
    this.#added += 1
    await this.#want(store)
  }

  async #want(store: Store): Promise<void> {
    const parentId = 'op-001'
    const fileHints = this.#random.chance(0.3) ? [`src/${this.#random.between(1, 3)}.ts`] : []
    const metadata = { acceptanceCriteria: [CRITERION], fileHints }
    const [operation] = await store.query({ ids: [parentId] })
    if (operation?.status === 'done') return
    await store.transact({
      commands: [
        { kind: 'create', type: 'task', parentId, content: 'one more', tags: ['critical'], metadata },
      ],
      by: 'user',
    })
  }

  /** Somebody takes a task by hand and forgets it. */
  async #claim(store: Store): Promise<void> {
    const ready = this.#random.pick(await store.query({ ready: true }))
    if (!ready) return
    const claim = { kind: 'claim', id: ready.id, stage: 'develop', holder: 'human', ttlMs: 45_000 } as const
    await store.transact({ commands: [claim], by: 'user' })
  }
}

const ANSWERS: Readonly<Partial<Record<DeliveryStateName, PersonsEvent>>> = {
  asking: 'ANSWERED',
  'person-review': 'APPROVED',
  failed: 'RETRY',
  'timed-out': 'RETRY',
  'repair-escalated': 'RETRY',
  halted: 'OVERRIDE',
}

function isAboutToLand(task: CaseRecord): boolean {
  const read = readEffectiveDelivery(task)
  return read.kind === 'read' && read.delivery.state === 'integrating'
}

function isHeld(task: CaseRecord): boolean {
  return isStopped(task) && task.status === 'pending'
}
