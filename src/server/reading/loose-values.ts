import { fields } from '../../events/task-standing.ts'
import type { Store } from '../../store/store.ts'

/** Parsed leniently: data of another version is shown as far as it is understood. */
export type Loose = Readonly<Record<string, unknown>>

/** A JSON blob; undefined when it is missing or invalid. */
export async function readJsonBlob(store: Pick<Store, 'getBlob'>, digest: unknown): Promise<unknown> {
  if (typeof digest !== 'string') return undefined
  const bytes = await store.getBlob(digest).catch(() => undefined)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

export function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map(fields) : []
}

export function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
