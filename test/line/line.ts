import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseCommand } from '../../src/cases/command.ts'
import { type Config, configSchema } from '../../src/config/schema.ts'
import { Director, type Ending } from '../../src/director/director.ts'
import type { DevelopResult, Hands, PerformOrder, PerformResult } from '../../src/director/hands.ts'
import { rulesOf } from '../../src/director/open/rules-of.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Notice } from '../../src/project/alerts.ts'
import { changeProject, type Project } from '../../src/project/document.ts'
import type { RunEnd } from '../../src/runs/run-end.ts'
import type { RunClock } from '../../src/runs/run-ports.ts'
import { NOTHING_SPENT } from '../../src/runs/task-progress.ts'
import type { Signal } from '../../src/signals/finding.ts'
import { parseSignals } from '../../src/signals/signal-parser.ts'
import { FileStore } from '../../src/store/jsonl/file-store.ts'
import type { CaseRecord } from '../../src/store/store.ts'
import { AXIOM } from '../../src/vocabulary/axiom.ts'

export const CRITERION = 'GET /health returns 200'
export const COST = { spent: NOTHING_SPENT, iterations: 1, durationMs: 1_000, waitedMs: 0 }

export interface LineOptions {
  readonly cases: readonly CaseCommand[]
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: RunClock
  readonly slots?: number
  readonly nonInteractive?: boolean
}

/** The real director over the real store, with hands that do at once what they are asked; each may be replaced. */
export class Line {
  readonly folder: string
  readonly store: FileStore
  readonly notices: Notice[] = []
  readonly config: Config
  readonly #options: LineOptions
  #serial = 0

  private constructor(options: LineOptions) {
    this.#options = options
    this.folder = join(mkdtempSync(join(tmpdir(), 'axiom-line-')), '.axiom')
    const { clock } = options
    this.store = new FileStore({
      folder: this.folder,
      ...(clock ? { clock: () => new Date(clock.now()).toISOString() } : {}),
    })
    this.config = configSchema.parse({ review: { defaultMode: 'skip' }, ...options.config })
  }

  static async open(options: LineOptions): Promise<Line> {
    const line = new Line(options)
    const answer = await line.store.transact({ commands: options.cases, by: 'user' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
    await changeProject(line.store, 'user', (project) => ({ ...project, mode: 'autopilot' }))
    return line
  }

  director(hands: Partial<Hands> = {}, stays = false): Director {
    const { clock = systemClock, slots = 2, nonInteractive = false } = this.#options
    return new Director({
      rules: rulesOf(this.config, { slots, nonInteractive }),
      stays,
      means: {
        store: this.store,
        hands: { ...this.hands(), ...hands },
        words: {
          limits: this.config.review,
          changedLines: async () => ({}),
          experts: async () => [],
          standingAnswer: async () => null,
          logRefusal: async () => undefined,
        },
        clock,
        vocabulary: AXIOM,
        failuresBeforePause: this.config.agents.failuresBeforePause,
        record: async () => undefined,
        notify: (notice) => this.notices.push(notice),
      },
    })
  }

  run(hands: Partial<Hands> = {}): Promise<Ending> {
    return this.director(hands).run()
  }

  commit(): string {
    this.#serial += 1
    return this.#serial.toString(16).padStart(40, '0')
  }

  hands(): Hands {
    const unasked = () => Promise.reject(new Error('nobody asks for this here'))
    return {
      develop: async () => developed(proven(this.commit())),
      perform: async (order) => pass(order),
      confirm: async () => ({ kind: 'confirmed', evidence: 'seen' }),
      async land({ entries }) {
        const landing = ({ source }: { source: string }) =>
          ({ kind: 'landed', commit: `f${source.slice(1)}`, alreadyThere: false }) as const
        const landings = new Map(entries.map((entry) => [entry.task, landing(entry)]))
        return { landings, flaky: [], runs: 1 }
      },
      resolve: unasked,
      takeIn: async () => ({ intake: { kind: 'nothing-new' }, user: null }),
      publish: async () => ({ kind: 'same', commit: '' }),
      findLanded: async () => new Map(),
      probeTarget: async () => ({ kind: 'green' }),
      measureHealth: async () => ({
        diskFreeBytes: 9e10,
        memory: { availableBytes: 9e10, totalBytes: 9e10 },
        agents: [],
        orphans: [],
      }),
      sweep: async () => 0,
      clean: async () => ({ removed: [], kept: [], freedBytes: 0, byConsent: [] }),
      runHook: async () => ({ failed: [] }),
    }
  }

  async get(id: string): Promise<CaseRecord> {
    const [found] = await this.store.query({ ids: [id] })
    if (!found) throw new Error(`there is no ${id}`)
    return found
  }

  change(change: (project: Project) => Project): Promise<Project> {
    return changeProject(this.store, 'user', change)
  }

  async transact(...commands: CaseCommand[]): Promise<void> {
    const answer = await this.store.transact({ commands, by: 'user' })
    if (answer.kind !== 'committed') throw new Error(JSON.stringify(answer))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close()
    rmSync(join(this.folder, '..'), { recursive: true, force: true })
  }
}

/** A need, an operation and its tasks. */
export function plan(...tasks: readonly string[]): CaseCommand[] {
  return [
    { kind: 'create', type: 'directive', content: 'a need', as: 'need' },
    { kind: 'create', type: 'operation', content: 'a feature', parentId: '$need', as: 'operation' },
    ...tasks.map(
      (content): CaseCommand => ({
        kind: 'create',
        type: 'task',
        content,
        parentId: '$operation',
        metadata: { acceptanceCriteria: [CRITERION] },
      }),
    ),
  ]
}

export function developed(end: RunEnd): DevelopResult {
  return { result: { ...COST, end, execution: { iterations: 1 }, unread: [] }, saved: [] }
}

export function proven(commit: string): RunEnd {
  const proof = { commit, flagged: [] }
  return { kind: 'complete', proof: { kind: 'proven', proof, checks: [], empty: false } } as unknown as RunEnd
}

export function say(text: string): Signal {
  const said = parseSignals([text], { names: { tag: 'axiom', names: {} } }).signals.at(-1)
  if (!said) throw new Error(`no signal in ${text}`)
  return said
}

/** Every reviewer is content. */
export function pass({ role, task, delivery }: PerformOrder): PerformResult {
  const text =
    role === 'critic'
      ? `REVIEW_PASSED: ${task.id}\n`
      : `AUDIT_PASSED: ${task.id}\n\nVerification Results:\n- ${CRITERION}: VERIFIED - curl\n`
  return { ...COST, kind: 'said', signal: say(text), commit: delivery.commit, checksGreen: true }
}
