import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Weather } from '../../integration/weather.ts'
import { systemCode } from '../../platform/failure.ts'
import { readText } from '../../platform/files/read-text.ts'

/**
 * A running director rewrites the board several times within this; an older board belongs to one that has
 * ended.
 */
const FRESH_MS = 60_000
/** Not persistent: it may be deleted at any time. */
const FILE = 'scratch/queue.json'

const task = z.string().max(100)
const schema = z.object({
  at: z.iso.datetime(),
  isChecking: z.boolean(),
  batches: z.array(z.array(task)),
  weather: z.object({
    tasks: z.array(task),
    pairs: z.array(
      z.object({
        tasks: z.tuple([task, task]),
        sky: z.enum(['same-file', 'same-lines']),
        files: z.array(z.string()),
      }),
    ),
    unseen: z.int(),
  }),
})

/**
 * What a director knows of the queue at this moment: batches are computed and conflicts are forecast, neither
 * is kept.
 */
export interface QueueBoard {
  readonly at: string
  /** Whether the first batch is being checked now. */
  readonly isChecking: boolean
  /** Tasks that are checked together, in the order of landing. */
  readonly batches: readonly (readonly string[])[]
  readonly weather: Weather
}

export async function writeQueueBoard(folder: string, board: QueueBoard): Promise<void> {
  const path = join(folder, FILE)
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    // Not synced: after a power loss there is no running director that the board could describe.
    await writeFile(draft, `${JSON.stringify(board)}\n`)
    await rename(draft, path)
  } catch (error) {
    // On a full disk, or in a folder that is being removed, the board is missing; no work depends on it.
    if (systemCode(error) === '') throw error
  }
}

/** The board of a running director, in any process. */
export async function readQueueBoard(folder: string, nowMs: number): Promise<QueueBoard | undefined> {
  const text = await readText(join(folder, FILE))
  if (text === undefined) return undefined
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success && nowMs - Date.parse(parsed.data.at) < FRESH_MS ? parsed.data : undefined
  } catch {
    return undefined
  }
}
