import { Failure } from '../platform/failure.ts'

/** A review with a comment on every line of a large diff is smaller. */
const BODY_BYTES_MAX = 512 * 1024
/** No honest client is this slow with so small a body; a slow one only occupies the connection. */
const BODY_MS_MAX = 15_000

/** The JSON of a body, read within the bounds of size and time. */
export async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Failure('SERVER_BODY_MALFORMED', 'the body is no JSON', { hint: 'send one JSON object' })
  }
}

async function readText(request: Request): Promise<string> {
  const reader = request.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  const late = AbortSignal.timeout(BODY_MS_MAX)
  const end = () => void reader.cancel().catch(() => undefined)
  late.addEventListener('abort', end, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > BODY_BYTES_MAX) {
        end()
        throw new Failure('SERVER_BODY_TOO_LARGE', `a body has at most ${BODY_BYTES_MAX} bytes`)
      }
      chunks.push(value)
    }
  } finally {
    late.removeEventListener('abort', end)
  }
  return Buffer.concat(chunks).toString('utf8')
}
