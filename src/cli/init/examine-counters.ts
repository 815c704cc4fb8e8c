import { join } from 'node:path'
import { readText } from '../../platform/files/read-text.ts'

/** What is wrong with the file of counters, if anything. The store rebuilds it; here it is only said. */
export async function examineCounters(folder: string): Promise<string[]> {
  const path = join(folder, 'metrics', 'counters.json')
  const text = await readText(path)
  if (text === undefined || isSound(text)) return []
  return [
    `COUNTERS_CORRUPT: ${path} cannot be read. No number is given twice: the store counts again from its backup, the cases, the logs and the workspaces when it next opens.`,
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
