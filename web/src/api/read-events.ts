import type { StreamMessage } from '../../../src/server/contract.ts'
import { parsePlain } from './plain-text.ts'

/** No valid message is longer than this. */
const BUFFER_CHARACTERS_MAX = 64 * 1024 * 1024

/** The messages of one connection in order, however they are split into chunks. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let buffer = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      buffer += value
      if (buffer.length > BUFFER_CHARACTERS_MAX) throw new Error('the stream sends no end of a message')
      const parts = buffer.split('\n\n')
      buffer = parts.pop() ?? ''
      for (const part of parts) {
        const message = parseEvent(part)
        if (message) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(text: string): StreamMessage | undefined {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
  return lines.length === 0 ? undefined : (parsePlain(lines.join('\n')) as StreamMessage)
}
