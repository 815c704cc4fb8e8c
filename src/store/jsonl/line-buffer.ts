import { crc32 } from 'node:zlib'
import { ANY_NAME, type FieldName, findName, OTHER_NAME } from './field-names.ts'
import { SEAL_BYTES, writeSeal } from './line-seal.ts'

/** What a UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES_MAX = 3
/** Up to this length, copying unit by unit is faster than a native call. */
const SHORT_LENGTH = 64

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92]
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [91, 93, 123, 125]

const WORD_BYTES = 4

/** Whether an ASCII character, by its code, needs no escape in a JSON string. */
const STANDS_FOR_ITSELF = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit >= 32 && unit !== QUOTE && unit !== BACKSLASH ? 1 : 0,
)

/**
 * Lines as bytes, in one piece of memory that every write reuses. A value is encoded in place and the
 * checksum is computed in place: with strings, each of the two would build and copy the line once more.
 */
export class LineBuffer {
  readonly #usual: Buffer
  #bytes: Buffer
  /** The same bytes, to be read and written four at a time. */
  #words: DataView
  #length = 0
  #lineStart = 0

  constructor(usualBytes: number) {
    this.#usual = Buffer.allocUnsafeSlow(usualBytes)
    this.#bytes = this.#usual
    this.#words = new DataView(this.#usual.buffer)
  }

  /** The bytes of all lines; good until the next `clear`. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Drops all lines, and the memory that an unusually large write needed. */
  clear(): void {
    if (this.#bytes !== this.#usual) this.#use(this.#usual)
    this.#length = 0
    this.#lineStart = 0
  }

  /** Begins a line with an object, left open for more. */
  open(object: object): void {
    this.#value(object, ANY_NAME)
    this.#length -= 1
  }

  /** One more field of the object that is open. */
  field(name: string, value: unknown): void {
    const known = findName(name)
    this.#name(known, name)
    this.#value(value, known)
  }

  /** Plain data as `JSON.stringify` writes it. */
  #value(value: unknown, under: FieldName): void {
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.#number(value)
    else if (Array.isArray(value)) this.#array(value, under)
    else if (isPlain(value)) this.#object(value, under)
    else this.#add(JSON.stringify(value) ?? 'null')
  }

  /** Closes the object with its checksum, and the line with it. */
  seal(): void {
    this.#makeRoom(SEAL_BYTES)
    writeSeal(this.#bytes, this.#length, crc32(this.#bytes.subarray(this.#lineStart, this.#length)))
    this.#length += SEAL_BYTES
    this.#lineStart = this.#length
  }

  #array(values: readonly unknown[], under: FieldName): void {
    let before = ARRAY_START
    for (const value of values) {
      this.#put(before)
      this.#value(value, under)
      before = COMMA
    }
    if (before === ARRAY_START) this.#put(ARRAY_START)
    this.#put(ARRAY_END)
  }

  #object(object: object, under: FieldName): void {
    const start = this.#length
    let last: FieldName | undefined
    for (const key in object) {
      const value: unknown = object[key as keyof typeof object]
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
      const expected = last ? last.next : under.first
      const name = expected?.key === key ? expected : findName(key)
      if (name !== expected) {
        if (last) last.next = name
        else under.first = name
      }
      this.#name(name, key)
      this.#value(value, name)
      last = name
    }
    if (!last) this.#put(OBJECT_START)
    // Overwrites the comma before the first name.
    else this.#bytes[start] = OBJECT_START
    this.#put(OBJECT_END)
  }

  /** A comma, the name and a colon. */
  #name(name: FieldName, key: string): void {
    if (name === OTHER_NAME) {
      this.#put(COMMA)
      this.#string(key)
      this.#put(COLON)
      return
    }
    const { words, length } = name
    this.#makeRoom(words.length * WORD_BYTES)
    for (let i = 0; i < words.length; i += 1) {
      this.#words.setUint32(this.#length + i * WORD_BYTES, words[i] as number, true)
    }
    this.#length += length
  }

  #string(text: string): void {
    const copied = text.length > SHORT_LENGTH ? this.#copyLong(text) : this.#copyShort(text)
    if (!copied) this.#add(JSON.stringify(text))
  }

  /** As `#copyLong`, for the many names and words of a line. */
  #copyShort(text: string): boolean {
    const { length } = text
    this.#makeRoom(length + 2)
    const bytes = this.#bytes
    const start = this.#length + 1
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i)
      if (STANDS_FOR_ITSELF[unit] !== 1) return false
      bytes[start + i] = unit
    }
    bytes[start - 1] = QUOTE
    bytes[start + length] = QUOTE
    this.#length = start + length + 1
    return true
  }

  /** Puts the text in quotes; false, and nothing counts as written, when it is more than ASCII or needs escapes. */
  #copyLong(text: string): boolean {
    this.#makeRoom(text.length * UNIT_BYTES_MAX + 2)
    const bytes = this.#bytes
    const start = this.#length + 1
    const end = start + bytes.write(text, start)
    if (!this.#standForThemselves(start, end)) return false
    bytes[start - 1] = QUOTE
    bytes[end] = QUOTE
    this.#length = end + 1
    return true
  }

  /**
   * Whether none of these bytes is part of a longer character or has to be escaped. Four at a time: the highest bit of
   * a byte is set when it was so before, or when more was taken from the byte than it held.
   */
  #standForThemselves(start: number, end: number): boolean {
    let at = start
    for (; at + WORD_BYTES <= end; at += WORD_BYTES) {
      const word = this.#words.getInt32(at, true)
      const control = (word - 0x20202020) | 0
      const quote = ((word ^ 0x22222222) - 0x01010101) | 0
      const backslash = ((word ^ 0x5c5c5c5c) - 0x01010101) | 0
      if (((word | control | quote | backslash) & 0x80808080) !== 0) return false
    }
    for (; at < end; at += 1) if (STANDS_FOR_ITSELF[this.#bytes[at] as number] !== 1) return false
    return true
  }

  #number(value: number): void {
    const text = Number.isFinite(value) ? String(value) : 'null'
    this.#makeRoom(text.length)
    for (let i = 0; i < text.length; i += 1) this.#bytes[this.#length + i] = text.charCodeAt(i)
    this.#length += text.length
  }

  /** Text that is JSON already. */
  #add(text: string): void {
    this.#makeRoom(text.length * UNIT_BYTES_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #put(byte: number): void {
    this.#makeRoom(1)
    this.#bytes[this.#length] = byte
    this.#length += 1
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * needed)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#use(larger)
  }

  #use(bytes: Buffer): void {
    this.#bytes = bytes
    this.#words = new DataView(bytes.buffer)
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (value as { toJSON?: unknown }).toJSON === undefined
}
