const NEWLINE = 0x0a
const EMPTY = Buffer.alloc(0)

/**
 * Cuts bytes into lines at any chunking. A line over the cap is dropped whole and counted, so that neither a
 * missing newline nor a huge one costs memory.
 */
export class LineFramer {
  /** Lines dropped because they were too long. */
  oversize = 0
  readonly #lineBytesMax: number
  #pieces: Buffer[] = []
  #bytes = 0
  #dropping = false

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax
  }

  /** The lines that this chunk completes, without their newline. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at))
      this.#close(lines)
      from = at + 1
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  /** The last line, when it has no newline. */
  flush(): Buffer[] {
    const lines: Buffer[] = []
    if (this.#bytes > 0 || this.#dropping) this.#close(lines)
    return lines
  }

  #keep(piece: Buffer): void {
    if (this.#dropping || piece.length === 0) return
    if (this.#bytes + piece.length > this.#lineBytesMax) {
      this.#dropping = true
      this.#pieces = []
      this.#bytes = 0
      return
    }
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  #close(lines: Buffer[]): void {
    if (this.#dropping) this.oversize += 1
    else lines.push(this.#pieces.length === 1 ? (this.#pieces[0] ?? EMPTY) : Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
    this.#dropping = false
  }
}
