import type { Store } from '../store.ts'

/** Messages between a store's owner and the other processes of the machine: one JSON object per line. */
export interface StoreRequest {
  readonly id: number
  readonly method: StoreMethod | Stream | 'stop-feed' | 'live-rows'
  readonly arguments: readonly unknown[]
}

export type StoreAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly item: unknown }
  | {
      readonly id: number
      readonly failure: { code: string; message: string; hint: string; retryable: boolean }
    }

/** Requests with a stream of answers, until `stop-feed`. */
export type Stream = 'feed' | 'live'

/** Methods with one request and one answer. */
export const STORE_METHODS = [
  'transact',
  'query',
  'history',
  'explain',
  'renew',
  'document',
  'allocate',
  'putBlob',
  'getBlob',
  'report',
  'compact',
  'import',
  'exported',
  'now',
] as const satisfies readonly (keyof Store)[]

export type StoreMethod = (typeof STORE_METHODS)[number]

/** JSON has no bytes, so they are marked; no other value on the socket has this mark. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Uint8Array || isBufferJson(inner)
      ? { $bytes: Buffer.from(bytesOf(inner)).toString('base64') }
      : inner,
  )
}

export function decode(text: string): unknown {
  return JSON.parse(text, (_, inner: unknown) => {
    if (
      typeof inner === 'object' &&
      inner !== null &&
      '$bytes' in inner &&
      typeof inner.$bytes === 'string'
    ) {
      return new Uint8Array(Buffer.from(inner.$bytes, 'base64'))
    }
    return inner
  })
}

/** A Buffer turns itself into this before the replacer sees it. */
function isBufferJson(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Buffer' &&
    'data' in value &&
    Array.isArray(value.data)
  )
}

function bytesOf(value: Uint8Array | { data: number[] }): Uint8Array {
  return value instanceof Uint8Array ? value : Uint8Array.from(value.data)
}

/** Cuts a stream of bytes into lines; a line longer than the bound ends the connection. */
export function onLines(
  socket: NodeJS.ReadableStream & { destroy(error?: Error): unknown },
  take: (line: string) => void,
): void {
  let held: Buffer[] = []
  let size = 0
  socket.on('data', (chunk: Buffer) => {
    let start = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      held.push(chunk.subarray(start, at))
      take(Buffer.concat(held).toString())
      held = []
      size = 0
      start = at + 1
    }
    if (start >= chunk.length) return
    held.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > LINE_BYTES_MAX) socket.destroy(new Error('a line is too long'))
  })
}

const LINE_BYTES_MAX = 256 * 1024 * 1024
