import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import { configSchema } from '../../src/config/schema.ts'
import { Director } from '../../src/director/director.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import type { Rules } from '../../src/director/snapshot.ts'
import type { EventContext } from '../../src/project/delivery/event-context.ts'
import { releaseDirectorLock, takeDirectorLock } from '../../src/project/director-lock.ts'
import { changeProject, readProject } from '../../src/project/document.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import { Hunger } from './hunger.ts'
import { expectEnd, expectMoment } from './invariants.ts'
import { Life } from './life.ts'
import { type Kept, openMortalStore } from './mortal-store.ts'
import { Random } from './random.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { SimulatedGit } from './simulated-git.ts'
import { CRITERION, simulateHands } from './simulated-hands.ts'
import { SimulatedPeople } from './simulated-people.ts'

/** Moments of one simulation; a task that is not through by then has starved. */
const MOMENTS_MAX = 4_000
const MOMENT_MAX_MS = 60_000
const BACKSTOP_MS = 60_000
const STEPS_OF_A_LIFE_MAX = 400
/** What several directors in a row could not bring on waits for something that no director can give. */
const IDLE_DIRECTORS_MAX = 5
const HOST = { name: 'simulated', machine: '', boot: '' }

export interface Simulated {
  /** Over everything that happened, in its order. */
  readonly hash: string
  readonly deaths: number
  readonly landed: number
  readonly tasks: number
}

export interface Wishes {
  /** Urgent tasks come in for this long, always more than there are agents. */
  readonly pressedMs?: number
}

/** One project, worked on from beginning to end by directors that are killed and followed by others. */
export async function simulate(seed: number, wishes: Wishes = {}): Promise<Simulated> {
  const folder = mkdtempSync(join(memoryDisk(), 'axiom-simulation-'))
  try {
    return await new Simulation(seed, join(folder, '.axiom'), wishes).play()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing here has to survive the machine; a disk in memory makes thousands of seeds affordable. */
function memoryDisk(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}

class Simulation {
  readonly #folder: string
  readonly #random: Random
  readonly #clock = new SimulatedClock()
  readonly #git = new SimulatedGit()
  readonly #kept: Kept = { blobs: new Map(), numbers: new Map() }
  readonly #people: SimulatedPeople
  readonly #words: EventContext
  readonly #rules: Rules
  readonly #digest = createHash('sha256')
  readonly #hunger: Hunger
  readonly #pressedUntilMs: number
  #deathsLeft: number
  #deaths = 0
  #moments = 0
  #directors = 0
  /** Directors in a row that came home and had changed nothing. */
  #idle = 0
  #standing = ''

  constructor(seed: number, folder: string, { pressedMs = 0 }: Wishes) {
    this.#folder = folder
    this.#pressedUntilMs = this.#clock.now() + pressedMs
    mkdirSync(folder)
    this.#random = new Random(seed)
    this.#deathsLeft = this.#random.between(0, 4)
    const config = configSchema.parse({
      review: { defaultMode: this.#random.pick(['skip', 'batch', 'per-task']) },
      agents: { failuresBeforePause: 3 },
      ...(this.#random.chance(0.3) ? { budgets: { task: { runs: this.#random.between(4, 30) } } } : {}),
    })
    this.#rules = {
      ...rulesOf(config, { slots: this.#random.between(1, 3), nonInteractive: this.#random.chance(0.5) }),
      batchMax: this.#random.between(1, 4),
      conflictTries: 2,
      commitTypes: ['feat'],
    }
    this.#hunger = new Hunger(this.#rules.slots)
    const fallback = this.#random.chance(0.5) ? { text: 'the usual one', isStanding: false } : null
    this.#words = {
      limits: config.review,
      changedLines: async () => ({ 'src/health.ts': [[10, 20]] }),
      experts: async () => [],
      standingAnswer: async () => fallback,
      logRefusal: async () => undefined,
    }
    this.#people = new SimulatedPeople(this.#random, this.#words, this.#git)
  }

  async play(): Promise<Simulated> {
    let isBegun = false
    for (;;) {
      const life = this.#newLife()
      const { mortal, plain } = openMortalStore(this.#folder, life, () => this.#clock.instant(), this.#kept)
      if (!isBegun) await begin(plain, this.#random)
      isBegun = true
      const isOver = await this.#live(life, mortal, plain)
      if (isOver) {
        const tasks = await plain.query({ type: 'task' })
        await plain.close()
        return {
          hash: this.#digest.digest('hex'),
          deaths: this.#deaths,
          landed: this.#git.target.length,
          tasks: tasks.length,
        }
      }
      this.#deaths += life.isOver ? 1 : 0
      this.#clock.forgetAll()
      await life.rest()
      if (!life.isOver) await plain.close()
      // A new process is not there at once, and leases may run out meanwhile.
      if (this.#random.chance(0.5)) this.#clock.advance(this.#random.between(0, 90) * 1_000)
    }
  }

  #newLife(): Life {
    const isMortal = this.#deathsLeft > 0
    if (isMortal) this.#deathsLeft -= 1
    const lastStep = isMortal ? this.#random.between(1, STEPS_OF_A_LIFE_MAX) : Number.POSITIVE_INFINITY
    return new Life(lastStep, this.#random.chance(0.5))
  }

  /** One director, until it dies or has nothing left to do; true when nobody has. */
  async #live(life: Life, mortal: Store, plain: Store): Promise<boolean> {
    const slots = new Map<number, string>()
    const log = (line: string): void => this.#note(line)
    const { director, running } = this.#seat(life, mortal, slots, log)
    let ended: unknown
    running.then(
      (ending) => {
        ended = ending
      },
      (error: unknown) => {
        ended = error
      },
    )
    for (;;) {
      await life.rest()
      if (life.isOver) return false
      if (ended instanceof Error) throw ended
      const tasks = await plain.query({ type: 'task' })
      this.#noteTasks(tasks)
      expectMoment({ tasks, git: this.#git, slots, rules: this.#rules })
      if (ended === undefined) await this.#hunger.look(plain, this.#clock.now(), slots.size)
      // One that was asked to leave is followed by another; only one with nothing left to do may be the last.
      if (ended !== undefined) return ended === 'nothing-left' && this.#rest(plain, slots)
      await this.#moment(plain, director)
    }
  }

  #seat(life: Life, mortal: Store, slots: Map<number, string>, log: (line: string) => void) {
    this.#directors += 1
    const id = `dex-${this.#directors}`
    const hands = simulateHands({
      life,
      clock: this.#clock,
      git: this.#git,
      random: this.#random,
      store: mortal,
      slots,
      log,
    })
    const director = new Director({
      rules: this.#rules,
      backstopMs: BACKSTOP_MS,
      means: {
        store: mortal,
        hands,
        words: this.#words,
        clock: this.#clock,
        vocabulary: AXIOM,
        failuresBeforePause: 3,
        record: async () => undefined,
        notify: ({ code }) => log(code),
      },
    })
    const holder = { id, pid: this.#directors, born: id, host: HOST, isAlive: async () => false }
    const run = async (): Promise<string> => {
      await takeDirectorLock(mortal, holder)
      await changeProject(mortal, id, (project) => ({ ...project, mode: 'autopilot' }))
      const ending = await director.run()
      await releaseDirectorLock(mortal, holder)
      return ending
    }
    return { director, running: run() }
  }

  async #moment(plain: Store, director: Director): Promise<void> {
    // However long it is pressed, the clock goes on; only what comes after has to come to an end.
    if (this.#clock.now() < this.#pressedUntilMs) return this.#pressOn(plain)
    this.#moments += 1
    if (this.#moments > MOMENTS_MAX) {
      const tasks = await plain.query({ type: 'task' })
      throw new Error(`it never ends: ${tasks.map(describe).join(', ')}`)
    }
    const early = this.#moments < MOMENTS_MAX / 8
    if (early && this.#random.chance(0.02)) await this.#people.meddle(plain)
    else if (this.#random.chance(0.1)) await this.#people.help(plain)
    else if (early && this.#random.chance(0.003)) director.leave(this.#random.chance(0.5) ? 'gently' : 'now')
    else this.#clock.advance(MOMENT_MAX_MS)
  }

  async #pressOn(plain: Store): Promise<void> {
    await this.#people.press(plain, this.#rules.slots + 1)
    if (this.#random.chance(0.1)) await this.#people.help(plain)
    else this.#clock.advance(MOMENT_MAX_MS)
  }

  /** The director went home: over when nobody can bring on anything more. */
  async #rest(plain: Store, slots: ReadonlyMap<number, string>): Promise<boolean> {
    if (await this.#people.help(plain)) return false
    const tasks = await plain.query({ type: 'task' })
    const isLeft = (await plain.query({ ready: true })).length > 0 || tasks.some(isUnderWay)
    const standing = tasks.map(({ id, rev }) => `${id} ${rev}`).join()
    this.#idle = standing === this.#standing ? this.#idle + 1 : 0
    this.#standing = standing
    if (isLeft && this.#idle < IDLE_DIRECTORS_MAX) {
      this.#moments += 1
      this.#clock.advance(MOMENT_MAX_MS)
      return false
    }
    const all = await plain.query({ deleted: true })
    const aside = all.filter((one) => one.id.startsWith('task-') && !tasks.some(({ id }) => id === one.id))
    const { project } = await readProject(plain)
    const { repairLedBy } = project
    expectEnd({ tasks, aside, repairLedBy, git: this.#git, slots, rules: this.#rules })
    return true
  }

  #note(line: string): void {
    this.#digest.update(`${this.#clock.now()} ${line}\n`)
  }

  #noteTasks(tasks: readonly CaseRecord[]): void {
    for (const { id, rev, status } of tasks) this.#digest.update(`${id} ${rev} ${status}\n`)
  }
}

function describe({ id, status, metadata, leases }: CaseRecord): string {
  const { state } = (metadata.delivery ?? { state: 'queued' }) as { state: string }
  return `${id} ${status} (${state}, held by ${Object.keys(leases ?? {}).join(' and ') || 'nobody'})`
}

function isUnderWay({ status }: CaseRecord): boolean {
  return status === 'active' || status === 'review'
}

async function begin(store: Store, random: Random): Promise<void> {
  const tasks = random.between(2, 4)
  const commands: CaseCommand[] = [
    { kind: 'create', type: 'directive', content: 'a need', as: 'need' },
    { kind: 'create', type: 'operation', content: 'feature', parentId: '$need', as: 'operation' },
  ]
  for (let number = 1; number <= tasks; number += 1) {
    const earlier = random.between(1, number)
    const metadata = {
      ...(random.chance(0.9) ? { acceptanceCriteria: [CRITERION] } : {}),
      ...(random.chance(0.5) ? { fileHints: [`src/${random.between(1, 3)}.ts`] } : {}),
    }
    commands.push({
      kind: 'create',
      type: 'task',
      parentId: '$operation',
      content: `task ${number}`,
      as: `task${number}`,
      metadata,
      ...(earlier < number && random.chance(0.4) ? { dependsOn: [`$task${earlier}`] } : {}),
    })
  }
  await store.transact({ commands, by: 'user' })
  await changeProject(store, 'user', (project) => ({ ...project, mode: 'autopilot' }))
}
