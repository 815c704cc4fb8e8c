import type { StreamMessage } from '../contract.ts'

/** One server-sent event. JSON has no line breaks, so it always fits one data line. */
export function encodeEvent(message: StreamMessage): Uint8Array {
  const id = message.type === 'delta' || message.type === 'reset' ? message.cursor : undefined
  return encodeText(message.type, JSON.stringify(message), id)
}

/** For messages whose rows are already encoded. */
export function encodeText(type: StreamMessage['type'], data: string, id?: string): Uint8Array {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`)
}
