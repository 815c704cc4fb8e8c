import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Case } from '../../src/cases/case.ts'
import type { CaseCommand } from '../../src/cases/command.ts'
import { beginProject } from '../../src/cli/commands/run/run-options.ts'
import { configSchema } from '../../src/config/schema.ts'
import type { DeliveryState, DeliveryStateName } from '../../src/delivery/delivery-state.ts'
import { Director, type Ending } from '../../src/director/director.ts'
import type { Hands } from '../../src/director/hands.ts'
import { userGitEnvironment } from '../../src/director/land/remote/user-git-environment.ts'
import { makeMeans } from '../../src/director/open/make-means.ts'
import { type OpenedDirector, openDirector } from '../../src/director/open/open-director.ts'
import { openHands } from '../../src/director/open/open-hands.ts'
import { openWorld, type WorldOptions } from '../../src/director/open/open-world.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import type { Notice } from '../../src/project/alerts.ts'
import { changeProject } from '../../src/project/document.ts'
import { deliveryOf } from '../../src/project/task-notes.ts'
import type { LiveRow, RunClock } from '../../src/runs/run-ports.ts'
import type { Entry } from '../../src/sim/playbook.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CaseRecord, Store } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'
import type { Vocabulary } from '../../src/vocabulary/vocabulary.ts'
import { removeFolder, sh, write } from '../git/scratch.ts'

const BUILT = resolve(import.meta.dirname, '../../dist')

export interface TheatreOptions {
  readonly vocabulary?: Vocabulary
  readonly files?: Readonly<Record<string, string>>
  readonly cases: readonly CaseCommand[]
  readonly entries: readonly Entry[]
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: RunClock
  readonly random?: () => number
  /** Of the user, besides that of this process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The moment at which a director is gone. */
export class PowerCut extends Error {
  readonly state: DeliveryStateName

  constructor(state: DeliveryStateName) {
    super(`the power went in ${state}`)
    this.state = state
  }
}

function mortalHands(hands: Hands, die: (task: Case) => Promise<void>): Hands {
  const mortal =
    <Order extends { readonly task: Case }, Result>(act: (order: Order) => Promise<Result>) =>
    async (order: Order): Promise<Result> => {
      await die(order.task)
      return act(order)
    }
  return {
    ...hands,
    develop: mortal((order) => hands.develop(order)),
    perform: mortal((order) => hands.perform(order)),
    confirm: mortal((order) => hands.confirm(order)),
  }
}

/** What a new `axiom run --autopilot` makes of the project. */
const begin = () => beginProject({ tag: [] }, 'autopilot', Date.now())

type Standing = Omit<TheatreOptions, 'cases' | 'entries' | 'files'>

/** A whole project: the user's repository, its store, simulated agents, and the real director. */
export class Theatre {
  readonly root: string
  readonly vocabulary: Vocabulary
  readonly notices: Notice[] = []
  /** Every row that was shown, also those that a reader would have missed. */
  readonly rows: LiveRow[] = []
  /** The folder of everything, the user's repository included. */
  readonly scratch: string
  readonly #options: Standing
  #config: Readonly<Record<string, unknown>>
  #store: Store | undefined

  private constructor(scratch: string, options: Standing) {
    this.scratch = scratch
    this.root = join(scratch, 'user')
    this.vocabulary = options.vocabulary ?? AXIOM
    this.#options = options
    this.#config = options.config ?? {}
  }

  /** Goes on with a project that another process made. */
  static reopen(scratch: string, options: Omit<Standing, 'config'> = {}): Theatre {
    const { folder } = options.vocabulary ?? AXIOM
    const config = JSON.parse(readFileSync(join(scratch, 'user', folder, 'config.json'), 'utf8'))
    return new Theatre(scratch, { ...options, config })
  }

  static async open(options: TheatreOptions): Promise<Theatre> {
    const theatre = new Theatre(realpathSync(mkdtempSync(join(tmpdir(), 'axiom-story-'))), options)
    const { root, vocabulary } = theatre
    mkdirSync(join(root, vocabulary.folder), { recursive: true })
    write(root, {
      'readme.md': 'A sample\n',
      '.gitignore': `${vocabulary.folder}/\n.w*/\n`,
      ...options.files,
    })
    sh(root, 'git init -q -b main && git add -A && git commit -qm first')
    theatre.play(options.entries)
    theatre.configure({})
    const answer = await (await theatre.store()).transact({ commands: options.cases, by: 'user' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
    return theatre
  }

  /** More of the configuration, for directors that are opened from now on. */
  configure(config: Readonly<Record<string, unknown>>): void {
    this.#config = { ...this.#config, ...config }
    writeFileSync(join(this.root, this.vocabulary.folder, 'config.json'), JSON.stringify(this.#config))
  }

  /** What simulated agents do from now on. */
  play(entries: readonly Entry[]): void {
    writeFileSync(this.#playbook, JSON.stringify({ entries }))
  }

  get #playbook(): string {
    return join(this.scratch, 'playbook.json')
  }

  async store(): Promise<Store> {
    if (this.#store) return this.#store
    const { cases, folder } = this.vocabulary
    const { clock } = this.#options
    const store = await openStore({
      folder: join(this.root, folder),
      purpose: 'tests',
      prefixOf: (type) => cases[type].prefix,
      ...(clock ? { clock: () => new Date(clock.now()).toISOString() } : {}),
    })
    const publish = store.publishLive.bind(store)
    store.publishLive = (rows) => {
      this.rows.push(...rows)
      publish(rows)
    }
    this.#store = store
    return store
  }

  async #worldOptions(): Promise<WorldOptions> {
    const { environment, clock, random } = this.#options
    return {
      root: this.root,
      vocabulary: this.vocabulary,
      config: configSchema.parse({ agents: { driver: 'sim' }, ...this.#config }),
      store: await this.store(),
      environment: { ...process.env, AXIOM_SIM_PLAYBOOK: this.#playbook, ...environment },
      built: BUILT,
      allowUnsandboxed: true,
      ...(clock ? { clock } : {}),
      ...(random ? { random } : {}),
    }
  }

  async open(): Promise<OpenedDirector> {
    return openDirector({
      ...(await this.#worldOptions()),
      nonInteractive: false,
      begin: begin(),
      notify: (notice) => this.notices.push(notice),
    })
  }

  /**
   * Lets a director work whose hands may die under it: where `dies` says so, the director is gone at that moment, as
   * after a loss of power, with every claim it had made still standing.
   */
  async runMortal(
    dies: (state: DeliveryStateName, task: Case) => boolean | Promise<boolean>,
    slots = 1,
  ): Promise<Ending | PowerCut> {
    try {
      return await this.#runMortal(dies, slots)
    } finally {
      await this.reopen()
    }
  }

  /** Whoever looks next reads everything from the disk. */
  async reopen(): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }

  async #runMortal(
    dies: (state: DeliveryStateName, task: Case) => boolean | Promise<boolean>,
    slots: number,
  ): Promise<Ending | PowerCut> {
    await using world = await openWorld(await this.#worldOptions())
    await changeProject(world.store, 'tests', begin())
    const userEnvironment = userGitEnvironment({})
    const hands = await openHands(world, {
      holder: world.director,
      userEnvironment,
      environment: {},
      isWalled: true,
    })
    const die = async (task: Case): Promise<void> => {
      const { state } = deliveryOf(task)
      if (await dies(state, task)) throw new PowerCut(state)
    }
    const mortal: Hands = {
      ...mortalHands(hands, die),
      land: async (order) => {
        for (const { task } of order.entries) await die(await this.task(task))
        return hands.land(order)
      },
    }
    const means = makeMeans(world, mortal, (notice) => this.notices.push(notice))
    const rules = rulesOf(world.config, { slots, nonInteractive: false })
    return new Director({ means, rules }).run().catch((error: unknown) => {
      if (error instanceof PowerCut) return error
      throw error
    })
  }

  /** Lets the director work until nothing is left that it can do. */
  async run(watch?: (seated: OpenedDirector) => Promise<void>): Promise<Ending> {
    await using seated = await this.open()
    const ending = seated.director.run()
    try {
      await watch?.(seated)
    } catch (error) {
      seated.director.leave('now')
      await ending
      throw error
    }
    // Awaited here: what ends with this block would else end before the work does.
    return await ending
  }

  async task(id: string): Promise<CaseRecord> {
    const [found] = await (await this.store()).query({ ids: [id] })
    if (!found) throw new Error(`there is no ${id}`)
    return found
  }

  async delivery(id: string): Promise<DeliveryState> {
    return deliveryOf(await this.task(id))
  }

  /** Every move of a task through delivery, in words. */
  async moves(id: string): Promise<string[]> {
    const history = await (await this.store()).history(id)
    const reasons = history.map(({ reason }) => reason).filter((reason) => reason.includes(' → '))
    // One commit may leave several entries: of its status, its place and its lease.
    return reasons.filter((reason, at) => reason !== reasons[at - 1])
  }

  /** What the developer was told, by iteration. */
  developersPrompts(id: string): Map<number, string> {
    const { id: persona } = this.vocabulary.personas.echo
    const lines = this.read(`agents/${persona}/logs/${id}.jsonl`).trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { event: string; number: number; input: string })
    return new Map(
      entries.filter(({ event }) => event === 'iteration').map(({ number, input }) => [number, input]),
    )
  }

  /** What agents with this folder were told about a task, the newest last. */
  prompts(folder: string, id: string): string[] {
    const lines = this.read(`agents/${folder}/logs/${id}.jsonl`).trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { event: string; input: string })
    return entries.filter(({ event }) => event === 'iteration').map(({ input }) => input)
  }

  /** The text of a file on the user's own branch. */
  show(path: string): string {
    return sh(this.root, `git show main:${path}`)
  }

  read(path: string): string {
    return readFileSync(join(this.root, this.vocabulary.folder, path), 'utf8')
  }

  /** Lets go of the project and leaves it as it is. */
  async leave(): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }

  async close(): Promise<void> {
    await this.leave()
    removeFolder(this.scratch)
  }
}
