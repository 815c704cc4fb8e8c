import { z } from 'zod'
import { Failure } from '../../platform/failure.ts'
import type { BlobText } from '../contract.ts'
import { type CaseGround, discoveriesOf, readCase } from '../reading/read-case.ts'
import { LOG_FILE, LOG_FOLDER, RANGE_BYTES_MAX, readLog } from '../reading/read-log.ts'
import { showText } from '../reading/show-text.ts'
import { json, type Route, route } from '../route.ts'

export const CASE_ID = /^[a-z]{1,20}-\d{1,9}$/
const DIGEST = /^[0-9a-f]{64}$/

const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** One case, its logs, and discoveries. */
export function caseRoutes(ground: CaseGround): Route[] {
  const { store, shelf, projectFolder } = ground
  return [
    route({
      method: 'get',
      path: '/api/cases/{id}',
      summary: 'Everything about one case that is no file.',
      parameters: { id: CASE_ID },
      answer: 'CaseDetail',
      reply: async ({ parameters: { id = '' } }) => json(await readCase(ground, id)),
    }),
    route({
      method: 'get',
      path: '/api/discoveries',
      summary: 'What was learnt, newest first.',
      answer: 'Discovery[]',
      reply: async () => json(discoveriesOf(shelf)),
    }),
    route({
      method: 'get',
      path: '/api/logs/{agents}/{file}',
      summary: 'Whole lines of a log: its end, from a byte on, or before a byte.',
      parameters: { agents: LOG_FOLDER, file: LOG_FILE },
      query: z.strictObject({
        from: place.optional(),
        before: place.optional(),
        bytes: z.coerce.number().int().min(1).max(RANGE_BYTES_MAX).optional(),
      }),
      answer: 'LogRange',
      reply: async ({ parameters: { agents = '', file = '' }, query }) =>
        json(await readLog(projectFolder, agents, file, query)),
    }),
    route({
      method: 'get',
      path: '/api/blobs/{digest}',
      summary: 'Evidence, findings and prompts, by their digest.',
      parameters: { digest: DIGEST },
      answer: 'BlobText',
      reply: async ({ parameters: { digest = '' } }) => {
        const bytes = await store.getBlob(digest)
        if (bytes === undefined) throw new Failure('NotFound', 'there is no such evidence')
        return json({ digest, bytes: bytes.length, ...showText(bytes) } satisfies BlobText)
      },
    }),
  ]
}
