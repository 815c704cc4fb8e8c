import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../platform/files/read-text.ts'
import { Turnstile } from '../platform/turnstile.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { addRun, type Figures, metricsOf, NO_FIGURES, type RunRecord } from './run-ledger.ts'

/**
 * Keeps the metrics: each finished run is a line of history, and every other file is a view made from those
 * lines, so that a lost or damaged view is restored with the next run.
 */
export class Ash {
  readonly #folder: string
  readonly #vocabulary: Vocabulary
  readonly #session: string
  readonly #writing = new Turnstile(1)
  readonly #personas = new Map<string, Figures>()
  readonly #agents = new Map<string, Figures>()
  #ofSession = NO_FIGURES

  private constructor(folder: string, vocabulary: Vocabulary, session: string) {
    this.#folder = folder
    this.#vocabulary = vocabulary
    this.#session = session
  }

  /** `session` names this session, for example by the id of its director. */
  static async open(folder: string, vocabulary: Vocabulary, session: string): Promise<Ash> {
    const ash = new Ash(folder, vocabulary, session)
    await mkdir(join(folder, 'metrics/agents'), { recursive: true })
    const history = (await readText(ash.#history)) ?? ''
    for (const line of history.split('\n')) {
      const run = readRun(line)
      if (run) ash.#add(run)
    }
    // A truncated line must not swallow the next one.
    if (history !== '' && !history.endsWith('\n')) await appendFile(ash.#history, '\n')
    return ash
  }

  /** When it returns, the run and every view that it changes are written. */
  record(run: Omit<RunRecord, 'session'>): Promise<void> {
    return this.#writing.pass(async () => {
      const whole: RunRecord = { ...run, session: this.#session }
      await appendFile(this.#history, `${JSON.stringify(whole)}\n`)
      this.#add(whole)
      await Promise.all([
        this.#write(
          `agents/${run.persona}`,
          'metrics.json',
          { persona: run.persona },
          this.#personas.get(run.persona),
        ),
        this.#write('metrics/agents', `${run.agent}.json`, { agent: run.agent }, this.#agents.get(run.agent)),
        this.#write('metrics', 'session.json', { session: this.#session }, this.#ofSession),
      ])
    })
  }

  get #history(): string {
    return historyFile(this.#folder)
  }

  #add(run: RunRecord): void {
    this.#personas.set(run.persona, addRun(this.#personas.get(run.persona) ?? NO_FIGURES, run))
    this.#agents.set(run.agent, addRun(this.#agents.get(run.agent) ?? NO_FIGURES, run))
    if (run.session === this.#session) this.#ofSession = addRun(this.#ofSession, run)
  }

  async #write(
    folder: string,
    file: string,
    subject: Readonly<Record<string, string>>,
    figures: Figures = NO_FIGURES,
  ): Promise<void> {
    const value = metricsOf(subject, figures, this.#vocabulary.records)
    const path = join(this.#folder, folder, file)
    await mkdir(join(this.#folder, folder), { recursive: true })
    // The rename keeps readers from seeing half of it; a view lost with the power is rebuilt, so nothing is
    // synced.
    const draft = `${path}.${randomUUID()}.tmp`
    await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`)
    await rename(draft, path)
  }
}

/** Every finished run of the project, the oldest first. */
export async function readHistory(folder: string): Promise<RunRecord[]> {
  const history = (await readText(historyFile(folder))) ?? ''
  return history.split('\n').flatMap((line) => readRun(line) ?? [])
}

function historyFile(folder: string): string {
  return join(folder, 'metrics/history.jsonl')
}

/** A line that a crash truncated, or a person broke, is ignored. */
function readRun(line: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isRun = typeof value === 'object' && value !== null && 'agent' in value && 'tokens' in value
    return isRun ? (value as RunRecord) : undefined
  } catch {
    return undefined
  }
}
