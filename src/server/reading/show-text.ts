/** A page with more text than this is slow, and too long to read. */
const TEXT_BYTES_MAX = 1024 * 1024
/** As in git: content with a zero byte near its beginning is binary. */
const LOOKED_AT_BYTES = 8_000

export interface ShownText {
  readonly binary: boolean
  readonly text: string
  readonly cut: boolean
}

/** Bytes as the text they may be. */
export function showText(bytes: Uint8Array): ShownText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.subarray(0, LOOKED_AT_BYTES).includes(0)) return { binary: true, text: '', cut: false }
  return {
    binary: false,
    text: buffer.toString('utf8', 0, TEXT_BYTES_MAX),
    cut: buffer.length > TEXT_BYTES_MAX,
  }
}
