/** Frames kept for clients that reconnect; one that was away longer takes a new snapshot. */
const FRAMES_MAX = 2_000
const BYTES_MAX = 2 * 1024 * 1024

interface Frame {
  readonly seq: number
  readonly bytes: Uint8Array
}

export type Missed =
  | { readonly kind: 'frames'; readonly frames: readonly Uint8Array[] }
  | { readonly kind: 'lost'; readonly reason: 'unknown-cursor' | 'too-old' }

/** The last deltas as sent. A cursor is the epoch of this server and a frame number. */
export class FrameLog {
  readonly #epoch: string
  #frames: Frame[] = []
  #bytes = 0
  #seq = 0

  /** The epoch distinguishes this server's numbers from those of any other start. */
  constructor(epoch: string) {
    this.#epoch = epoch
  }

  get cursor(): string {
    return `${this.#epoch}.${this.#seq}`
  }

  /** Makes the next frame, which contains its own cursor. */
  append(encode: (cursor: string) => Uint8Array): Uint8Array {
    this.#seq += 1
    const bytes = encode(this.cursor)
    this.#frames.push({ seq: this.#seq, bytes })
    this.#bytes += bytes.length
    let dropped = 0
    while (this.#bytes > BYTES_MAX || this.#frames.length - dropped > FRAMES_MAX) {
      this.#bytes -= this.#frames[dropped]?.bytes.length ?? 0
      dropped += 1
    }
    if (dropped > 0) this.#frames = this.#frames.slice(dropped)
    return bytes
  }

  /** Skips a number, so that every client with an earlier cursor takes a new snapshot. */
  skip(): void {
    this.#seq += 1
    this.#frames = []
    this.#bytes = 0
  }

  /** All frames after a cursor in order, or why they are not available. */
  after(cursor: string | undefined): Missed {
    const [epoch, number = ''] = cursor?.split('.') ?? []
    const seq = /^\d{1,15}$/.test(number) ? Number(number) : -1
    if (epoch !== this.#epoch || seq < 0 || seq > this.#seq) return { kind: 'lost', reason: 'unknown-cursor' }
    const missed = this.#seq - seq
    if (missed > this.#frames.length) return { kind: 'lost', reason: 'too-old' }
    const frames = missed === 0 ? [] : this.#frames.slice(-missed)
    return { kind: 'frames', frames: frames.map(({ bytes }) => bytes) }
  }
}
