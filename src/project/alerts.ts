import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Severity } from '../health/health-facts.ts'
import { readRegularFile } from '../platform/files/read-regular-file.ts'
import { writeFileAtomically } from '../platform/files/write-file-atomically.ts'

/** A message for people that is no state of a case. */
export interface Notice {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly task?: string
  readonly agent?: string
}

/** Alerts that are shown at once; the oldest make room. */
const ALERTS_MAX = 50
const TEXT_CHARACTERS_MAX = 2_000
const FILE_BYTES_MAX = 1024 * 1024

const schema = z.strictObject({
  id: z.string(),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  at: z.iso.datetime(),
  case: z.string().nullable(),
  agent: z.string().nullable(),
})

/** Something that people should know and that is no state of a case. */
export type Alert = Readonly<z.infer<typeof schema>>

/** The same alert again is the newest, not a second one. */
export function addAlert(alerts: readonly Alert[], notice: Notice, at: string, hint = ''): readonly Alert[] {
  const { code, severity, task = null, agent = null } = notice
  const message = notice.message.slice(0, TEXT_CHARACTERS_MAX)
  const id = `${code} ${task ?? ''} ${agent ?? ''} ${message}`.slice(0, 200)
  const alert: Alert = { id, severity, code, message, hint, at, case: task, agent }
  return [...alerts.filter((one) => one.id !== id), alert].slice(-ALERTS_MAX)
}

/**
 * What the director that sits now has to tell people. It stands in a file, because those who look may be another
 * process; a new director begins with an empty page, and what still holds is told again.
 */
export class AlertBook implements AsyncDisposable {
  readonly #path: string
  readonly #now: () => number
  #alerts: readonly Alert[] = []
  #isWritten = false
  #writing: Promise<void> | undefined

  constructor(projectFolder: string, now: () => number) {
    this.#path = pathIn(projectFolder)
    this.#now = now
    this.#write()
  }

  add(notice: Notice): void {
    this.#alerts = addAlert(this.#alerts, notice, new Date(this.#now()).toISOString())
    this.#write()
  }

  /** Returns when the last alert can be read. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing
  }

  /** Alerts may come faster than a disk takes them: what came meanwhile is written once. */
  #write(): void {
    this.#isWritten = false
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    while (!this.#isWritten) {
      this.#isWritten = true
      // A disk that is full is one of the things that are told; telling must not fail because of it.
      await this.#writeOnce().catch(() => undefined)
    }
    this.#writing = undefined
  }

  async #writeOnce(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    await writeFileAtomically(this.#path, `${JSON.stringify(this.#alerts)}\n`)
  }
}

/** The alerts of the director that sits or sat last, whichever process it is. */
export async function readAlerts(projectFolder: string): Promise<readonly Alert[]> {
  try {
    const bytes = await readRegularFile(pathIn(projectFolder), FILE_BYTES_MAX)
    const parsed = z.array(schema).safeParse(JSON.parse(bytes?.toString('utf8') ?? '[]'))
    return parsed.success ? parsed.data : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function pathIn(projectFolder: string): string {
  return join(projectFolder, 'logs/alerts.json')
}
