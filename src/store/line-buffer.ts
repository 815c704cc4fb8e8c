import { crc32 } from 'node:zlib'
import { SEAL_BYTES, writeSeal } from './line-seal.ts'

/** What a UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES_MAX = 3
/** Up to here a text is copied faster unit by unit than by a call out of the language. */
const SHORT_LENGTH = 64

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92]
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [91, 93, 123, 125]

/** By its number, whether a character of ASCII is written in a JSON string as it is. */
const STANDS_FOR_ITSELF = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit >= 32 && unit !== QUOTE && unit !== BACKSLASH ? 1 : 0,
)

/**
 * Lines as bytes, in one piece of memory that is used again for every write. A value goes straight to its place, and
 * a checksum is taken of the bytes where they lie: as a string, a line would be made and copied once for each of these.
 */
export class LineBuffer {
  readonly #usual: Buffer
  #bytes: Buffer
  #length = 0
  #lineStart = 0

  constructor(usualBytes: number) {
    this.#usual = Buffer.allocUnsafeSlow(usualBytes)
    this.#bytes = this.#usual
  }

  /** The bytes of all lines; good until the next `clear`. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Forgets all lines, and the memory that an unusually large write needed. */
  clear(): void {
    this.#bytes = this.#usual
    this.#length = 0
    this.#lineStart = 0
  }

  /** Begins a line with an object, left open for more. */
  open(object: object): void {
    this.#value(object)
    this.#length -= 1
  }

  /** One more field of the object that is open. */
  field(name: string, value: unknown): void {
    this.#put(COMMA)
    this.#string(name)
    this.#put(COLON)
    this.#value(value)
  }

  /** Plain data as `JSON.stringify` writes it. */
  #value(value: unknown): void {
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.#number(value)
    else if (Array.isArray(value)) this.#array(value)
    else if (isPlain(value)) this.#object(value)
    else this.#add(JSON.stringify(value) ?? 'null')
  }

  /** Closes the object with its checksum, and the line with it. */
  seal(): void {
    this.#makeRoom(SEAL_BYTES)
    writeSeal(this.#bytes, this.#length, crc32(this.#bytes.subarray(this.#lineStart, this.#length)))
    this.#length += SEAL_BYTES
    this.#lineStart = this.#length
  }

  #array(values: readonly unknown[]): void {
    let before = ARRAY_START
    for (const value of values) {
      this.#put(before)
      this.#value(value)
      before = COMMA
    }
    if (before === ARRAY_START) this.#put(ARRAY_START)
    this.#put(ARRAY_END)
  }

  #object(object: object): void {
    let before = OBJECT_START
    for (const key in object) {
      const value: unknown = object[key as keyof typeof object]
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
      this.#put(before)
      this.#string(key)
      this.#put(COLON)
      this.#value(value)
      before = COMMA
    }
    if (before === OBJECT_START) this.#put(OBJECT_START)
    this.#put(OBJECT_END)
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
    for (let at = start; at < end; at += 1) if (STANDS_FOR_ITSELF[bytes[at] as number] !== 1) return false
    bytes[start - 1] = QUOTE
    bytes[end] = QUOTE
    this.#length = end + 1
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
    this.#bytes = larger
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (value as { toJSON?: unknown }).toJSON === undefined
}
