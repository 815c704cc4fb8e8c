import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Driver } from '../../agents/driver.ts'
import { Turnstile } from '../../platform/turnstile.ts'
import type { RecordedLine } from '../../project/recording.ts'
import type { Store } from '../../store/store.ts'
import { targetOfRecord } from '../../workspaces/integration-repository.ts'
import type { Ground } from '../../workspaces/workspace.ts'
import { recordAgents } from './record-agents.ts'

/** A recording stops at this size: it is only an aid, and must not fill the disk. */
const RECORDING_BYTES_MAX = 256 * 1024 * 1024

export interface RecordingOptions {
  /** The project's folder. */
  readonly folder: string
  readonly director: string
  readonly store: Store
  readonly ground: Ground
  now(): number
  /** Removes known secrets: agents commit them, too. */
  redact(text: string): string
}

/** Writes `recordings/{director}.jsonl` during the run. */
export interface OpenedRecording {
  readonly path: string
  /** The driver whose agents are recorded. */
  wrap(driver: Driver): Driver
  /** Records how the run ended. */
  close(): Promise<void>
}

/** Starts a recording with the current target and cases. */
export async function openRecording(options: RecordingOptions): Promise<OpenedRecording> {
  const { folder, director, store, ground } = options
  const path = join(folder, 'recordings', `${director}.jsonl`)
  const append = await appender(path, (text) => options.redact(text))
  const base = await targetOfRecord(ground.git, ground.integration)
  const cases = await store.putBlob(Buffer.from((await store.exported()).join('\n')))
  const at = (): string => new Date(options.now()).toISOString()
  const { target } = ground.integration
  await append({ type: 'begin', version: 1, at: at(), director, target, base, cases })
  return {
    path,
    wrap: (driver) => recordAgents(driver, ground, append),
    async close() {
      const commit = await targetOfRecord(ground.git, ground.integration)
      const tree = await ground.git.text(ground.integration, ['rev-parse', `${commit}^{tree}`])
      const done = (await store.query({ type: 'task', status: 'done' })).map(({ id }) => id)
      await append({ type: 'end', at: at(), tree, done })
    },
  }
}

async function appender(
  path: string,
  redact: (text: string) => string,
): Promise<(line: RecordedLine) => Promise<void>> {
  await mkdir(dirname(path), { recursive: true })
  const writing = new Turnstile(1)
  let bytes = 0
  return (line) =>
    writing.pass(async () => {
      const text = `${redact(JSON.stringify(line))}\n`
      bytes += text.length
      if (bytes <= RECORDING_BYTES_MAX) await appendFile(path, text)
    })
}
