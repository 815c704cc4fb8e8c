import { crc32 } from 'node:zlib'
import { sealOf } from './line-seal.ts'

/** What a UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES_MAX = 3

/**
 * Lines as bytes, in one piece of memory that is used again for every write. Texts go straight to their place, and a
 * checksum is taken of the bytes where they lie: a line as a string would be copied once for each of these.
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

  /** Begins a line with the text of an object, left open for more. */
  open(object: object): void {
    this.add(JSON.stringify(object))
    this.#length -= 1
  }

  add(text: string): void {
    this.#makeRoom(text.length * UNIT_BYTES_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Closes the object with its checksum, and the line with it. */
  seal(): void {
    this.add(sealOf(crc32(this.#bytes.subarray(this.#lineStart, this.#length))))
    this.#lineStart = this.#length
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * needed)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
