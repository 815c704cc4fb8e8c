import { join } from 'node:path'
import { readText } from '../../../platform/files/read-text.ts'

/** Problems of the counters file, if any. The store rebuilds the counters when it is opened next. */
export async function examineCounters(folder: string): Promise<string[]> {
  const path = join(folder, 'metrics', 'counters.json')
  const text = await readText(path)
  if (text === undefined || isSound(text)) return []
  return [
    `COUNTERS_CORRUPT: ${path} could not be read and was counted again from its backup, the cases, the logs and the workspaces; no number is given twice`,
  ]
}

function isSound(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.values(value).every((number) => Number.isSafeInteger(number) && Number(number) >= 0)
  } catch {
    return false
  }
}

/** Creates the store's own files, and lets the store repair what it can. */
export async function touchStore(folder: string): Promise<void> {
  const { openStore } = await import('../../../store/open-store.ts')
  const store = await openStore({ folder, purpose: 'axiom init' })
  await store.close()
}
