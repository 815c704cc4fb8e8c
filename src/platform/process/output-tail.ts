/** Keeps the last bytes of a stream of any length in bounded memory, with or without line breaks. */
export class OutputTail {
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #bytes = 0
  truncated = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes > this.#maxBytes) {
      const first = this.#chunks[0]
      if (first === undefined) return
      const excess = this.#bytes - this.#maxBytes
      this.truncated = true
      if (first.length <= excess) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(excess)
      this.#bytes -= Math.min(first.length, excess)
    }
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
