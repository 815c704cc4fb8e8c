import { z } from 'zod'
import { fields } from '../../events/task-standing.ts'
import { Failure } from '../../platform/failure.ts'
import { readFileText, readTree } from '../reading/code-reader.ts'
import type { CaseGround } from '../reading/read-case.ts'
import { newestRun, readDiff } from '../reading/read-diff.ts'
import { json, type Route, route } from '../route.ts'
import { CASE_ID } from './case-routes.ts'

const commit = z.string().regex(/^[0-9a-f]{40,64}$/)
const path = z.string().max(4_096)

/** Code, from git objects alone. */
export function codeRoutes(ground: CaseGround): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/cases/{id}/diff',
      summary: 'What the work on a task changes, of its newest commit or a named one; one file, or all.',
      parameters: { id: CASE_ID },
      query: z.strictObject({ commit: commit.optional(), path: path.optional() }),
      answer: 'Diff',
      reply: async ({ parameters: { id = '' }, query }) =>
        json(await readDiff(ground.code, query.commit ?? (await commitOf(ground, id)), query.path)),
    }),
    route({
      method: 'get',
      path: '/api/files',
      summary: 'A file as a commit has it.',
      query: z.strictObject({ commit, path }),
      answer: 'FileText',
      reply: async ({ query }) => json(await readFileText(ground.code, query.commit, query.path)),
    }),
    route({
      method: 'get',
      path: '/api/trees',
      summary: 'A folder as a commit has it.',
      query: z.strictObject({ commit, path: path.default('') }),
      answer: 'Tree',
      reply: async ({ query }) => json(await readTree(ground.code, query.commit, query.path)),
    }),
  ]
}

/** The commit under review, else the last commit of the last run, else the last saved one. */
async function commitOf({ store, code }: CaseGround, id: string): Promise<string> {
  const [task] = await store.query({ ids: [id] })
  const { commit: reviewed } = fields(task?.metadata.delivery)
  const { finalCommit } = fields(task?.metadata.execution)
  const known = [reviewed, finalCommit].find((name): name is string => typeof name === 'string')
  const found = known ?? (task && (await newestRun(code, id)))
  if (found !== undefined) return found
  throw new Failure('NotFound', `${id} has no commits yet`, { hint: 'they appear with the first iteration' })
}
