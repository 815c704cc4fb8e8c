/** Names beyond this number are written without a cache; AXIOM's cases and documents have about a hundred. */
const NAMES_MAX = 1_000

/**
 * The encoded name of a field, with the comma before it and the colon after it, four bytes to a word. It
 * caches the name that followed it last, because nearly always the same one follows again and needs no
 * lookup.
 */
export class FieldName {
  readonly key: string
  readonly words: Uint32Array
  /** In bytes; the last word may hold less than four. */
  readonly length: number
  /** The name that followed in the same object. */
  next: FieldName | undefined = undefined
  /** The name with which an object under this one began. */
  first: FieldName | undefined = undefined

  constructor(key: string) {
    const text = Buffer.from(`,${JSON.stringify(key)}:`)
    const bytes = Buffer.alloc(Math.ceil(text.length / 4) * 4)
    text.copy(bytes)
    this.key = key
    this.words = Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i))
    this.length = text.length
  }
}

/** Stands for the names that are not kept. */
export const OTHER_NAME = new FieldName('')
/** The parent name of a line's top-level fields. */
export const ANY_NAME = new FieldName('')

const names = new Map<string, FieldName>()

export function findName(key: string): FieldName {
  const known = names.get(key)
  if (known) return known
  if (names.size >= NAMES_MAX) return OTHER_NAME
  const name = new FieldName(key)
  names.set(key, name)
  return name
}
