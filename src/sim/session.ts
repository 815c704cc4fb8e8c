import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from './check.ts'
import { NOTHING, type Totals } from './ledger.ts'

/** What a later process needs to resume this conversation. */
export interface Session {
  readonly id: string
  readonly totals: Totals
}

const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/

/** Undefined when this HOME has no such session. */
export function findSession(home: string, id: string): Session | undefined {
  if (!SAFE_ID.test(id)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(home, id), 'utf8'))
    return { id, totals: isObject(value) ? { ...NOTHING, ...(value.totals as Partial<Totals>) } : NOTHING }
  } catch {
    return undefined
  }
}

/** With a read-only HOME the agent only loses its session, not its work. */
export function keepSession(home: string, session: Session): void {
  if (!SAFE_ID.test(session.id)) return
  try {
    mkdirSync(join(home, '.axiom-sim'), { recursive: true })
    writeFileSync(pathOf(home, session.id), JSON.stringify({ totals: session.totals }))
  } catch {}
}

function pathOf(home: string, id: string): string {
  return join(home, '.axiom-sim', `${id}.json`)
}
