import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Case } from '../../../cases/case.ts'
import { discoveryMetadata } from '../../../cases/metadata.ts'
import { readText } from '../../../platform/files/read-text.ts'

/** The other tasks whose prompts contained the text of a discovery, according to the execution logs. */
export async function findApplied(logs: string, { content, metadata }: Case): Promise<string[]> {
  const { sourceTaskId } = discoveryMetadata(metadata)
  const words = JSON.stringify(content).slice(1, -1)
  const found: string[] = []
  for (const name of (await readdir(logs).catch(() => [])).sort()) {
    const task = name.replace(/\.jsonl$/, '')
    if (task === sourceTaskId || !name.endsWith('.jsonl')) continue
    const text = (await readText(join(logs, name))) ?? ''
    if (text.split('\n').some((entry) => promptOf(entry).includes(words))) found.push(task)
  }
  return found
}

function promptOf(entry: string): string {
  const start = entry.indexOf('"input":')
  const end = entry.indexOf(',"output":')
  return start < 0 ? '' : entry.slice(start, end < 0 ? undefined : end)
}
