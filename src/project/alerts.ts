import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Severity } from '../health/health-facts.ts'
import { readRegularFile } from '../platform/files/read-regular-file.ts'
import { writeFileAtomically } from '../platform/files/write-file-atomically.ts'

/** A message for people that is not the state of a case. */
export interface Notice {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly task?: string
  readonly agent?: string
}

/** Alerts kept at once; the oldest are dropped. */
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

/** Something that people should know and that is not the state of a case. */
export type Alert = Readonly<z.infer<typeof schema>>

/** A repeated alert becomes the newest; it is not listed twice. */
export function addAlert(alerts: readonly Alert[], notice: Notice, at: string, hint = ''): readonly Alert[] {
  const { code, severity, task = null, agent = null } = notice
  const message = notice.message.slice(0, TEXT_CHARACTERS_MAX)
  const id = `${code} ${task ?? ''} ${agent ?? ''} ${message}`.slice(0, 200)
  const alert: Alert = { id, severity, code, message, hint, at, case: task, agent }
  return [...alerts.filter((one) => one.id !== id), alert].slice(-ALERTS_MAX)
}

/**
 * The alerts of the current director. They are kept in a file, because another process may show them; a new
 * director starts with an empty list, and reports again what still holds.
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

  /** Returns when the last alert has been written. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing
  }

  /** Alerts may come faster than the disk can take them: those that came meanwhile are written together. */
  #write(): void {
    this.#isWritten = false
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    while (!this.#isWritten) {
      this.#isWritten = true
      // A full disk is itself one of the alerts; writing them must not fail because of it.
      await this.#writeOnce().catch(() => undefined)
    }
    this.#writing = undefined
  }

  async #writeOnce(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    await writeFileAtomically(this.#path, `${JSON.stringify(this.#alerts)}\n`)
  }
}

/** The alerts of the current or the last director, in any process. */
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
