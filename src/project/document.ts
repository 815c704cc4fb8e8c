import { z } from 'zod'
import { Failure } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import { retryStale, STALE } from './retry-stale.ts'

/** The document of the store that holds the state of the whole project. */
export const PROJECT_KEY = 'project'
const VERSION = 1

const count = z.int().nonnegative()
const instant = z.iso.datetime()

const pause = z.strictObject({
  /**
   * A person; failures in a row; a red target; a halted repair; the health check; the tripwire on the user's
   * repository.
   */
  cause: z.enum(['person', 'failures', 'red-target', 'halt', 'health', 'tripwire']),
  by: z.string().max(80),
  reason: z.string().max(1_000),
  at: instant,
})

/** When a sprint of autopilot ends; `no-ready` means when no task is left that it could do. */
const goal = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('no-ready') }),
  z.strictObject({ kind: z.literal('count'), landings: z.int().positive() }),
  z.strictObject({ kind: z.literal('time'), until: instant }),
])

const sprint = z.strictObject({
  goal,
  /** Only tasks with one of these tags are started; none means all. */
  tags: z.array(z.string().max(100)).max(50),
  startedAt: instant,
  landed: count,
})

const schema = z.strictObject({
  version: z.literal(VERSION),
  mode: z.enum(['semi-auto', 'autopilot']).default('semi-auto'),
  pause: pause.nullable().default(null),
  sprint: sprint.nullable().default(null),
  /** Tasks that failed since the last one landed. */
  failuresInRow: count.default(0),
  /** How many entries of the queue are checked together, learnt from the results of the last batches. */
  window: z
    .strictObject({ size: z.int().positive(), rejections: z.array(z.boolean()).max(200) })
    .nullable()
    .default(null),
  /** The newest commit of the user's own branch that was taken in. */
  seenUserCommit: z.string().max(64).nullable().default(null),
  landedSinceCheckpoint: count.default(0),
  /** The task whose report of a broken environment is being repaired; new work waits for it. */
  repairLedBy: z.string().max(80).nullable().default(null),
  /** The commit of the target whose required checks were last seen green. */
  provenTarget: z.string().max(64).nullable().default(null),
  /** The task that makes a red target green again; nothing else starts before it is done. */
  repairTask: z.string().max(80).nullable().default(null),
  /** The process that directs the project now, or the last one that did. */
  director: z
    .strictObject({
      id: z.string().max(80),
      pid: count,
      born: z.string().max(80),
      at: instant,
      /** Where the process runs; absent where an older version wrote it. */
      host: z
        .strictObject({ name: z.string().max(253), machine: z.string().max(64), boot: z.string().max(64) })
        .optional(),
    })
    .nullable()
    .default(null),
})

export type Project = Readonly<z.infer<typeof schema>>
export type Sprint = NonNullable<Project['sprint']>
export type SprintGoal = Sprint['goal']
export type Pause = NonNullable<Project['pause']>

export function newProject(): Project {
  return schema.parse({ version: VERSION })
}

export interface ReadProject {
  readonly project: Project
  readonly rev: number
}

export async function readProject(store: Pick<Store, 'document'>): Promise<ReadProject> {
  const { value, rev } = await store.document(PROJECT_KEY)
  if (value === undefined) return { project: newProject(), rev }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { project: parsed.data, rev }
  const issue = parsed.error.issues[0]
  throw new Failure(
    'PROJECT_UNREADABLE',
    `The standing of the project cannot be read: ${issue?.path.join('.')}: ${issue?.message}`,
    { hint: 'it was written by another version of AXIOM; use that one' },
  )
}

/** Changes the document as it is at the moment of the commit; undefined leaves it unchanged. */
export function changeProject(
  store: Pick<Store, 'document' | 'transact'>,
  by: string,
  change: (project: Project) => Project | undefined,
): Promise<Project> {
  return retryStale('the standing of the project', async () => {
    const { project, rev } = await readProject(store)
    const value = change(project)
    if (value === undefined) return project
    const answer = await store.transact({
      commands: [],
      by,
      documents: [{ key: PROJECT_KEY, value, expect: rev }],
    })
    if (answer.kind === 'committed') return value
    if (answer.kind === 'refused') throw new Failure('STORE_REFUSED', answer.message, { hint: answer.hint })
    return STALE
  })
}
