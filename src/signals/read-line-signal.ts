import { markHidden } from './clean-text.ts'
import { PAYLOAD_CHARACTERS_MAX } from './limits.ts'
import { REGISTRY, type SignalName } from './registry.ts'

export interface LineHead {
  readonly name: SignalName
  readonly payload: string | null
  /** The id behind the name, where it is one; whether it names a task is the registry's matter. */
  readonly id: string | null
}

const LINES = REGISTRY.filter(({ notation }) => notation === 'line')
const BARE: ReadonlyMap<string, SignalName> = new Map(
  LINES.filter(({ payload }) => payload === 'none').map(({ name }) => [name, name]),
)
const WITH_PAYLOAD = new Map(
  LINES.filter(({ payload }) => payload !== 'none').map((entry) => [entry.name as string, entry]),
)

export const LINE_NAMES: readonly string[] = LINES.map(({ name }) => name)

const HEAD = /^([A-Z][A-Z_ ]*[A-Z]):[ \t]*(\S.*)?$/s
const HEALTH = 'HEALTH_AUDIT'
/** Marks of emphasis or code around an id, and the full stop of a sentence that ends with it. */
const AROUND_ID = /^[`*_"']+|[`*_"'.,;:]+$/g

/** Reads the first line of a line signal; a near miss is nothing at all. */
export function readLineHead(line: string): LineHead | null {
  const text = line.trimEnd()
  const bare = BARE.get(text)
  if (bare !== undefined) return { name: bare, payload: null, id: null }
  const match = HEAD.exec(text)
  if (match === null) return null
  const rest = match[2] ?? ''
  if (match[1] === HEALTH) {
    const verdict = BARE.get(`${HEALTH}: ${rest}`)
    return verdict === undefined ? null : { name: verdict, payload: null, id: null }
  }
  const entry = WITH_PAYLOAD.get(match[1] ?? '')
  if (entry === undefined || rest === '' || rest.length > PAYLOAD_CHARACTERS_MAX) return null
  if (entry.payload === 'path') {
    return { name: entry.name, payload: markHidden(rest.replace(/^`([^`]*)`$/, '$1')), id: null }
  }
  const id = (/^\S+/.exec(rest)?.[0] ?? '').replace(AROUND_ID, '')
  return id === '' ? null : { name: entry.name, payload: markHidden(rest), id: markHidden(id) }
}
