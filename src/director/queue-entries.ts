import { type Case, type CaseId, dependenciesOf, isDone } from '../cases/case.ts'
import { type DeliveryState, readDelivery } from '../delivery/delivery-state.ts'
import type { Entry } from '../integration/entry.ts'
import { readLanding } from '../integration/landing-record.ts'
import { targetOfRecord } from '../workspaces/integration-repository.ts'
import type { RunWorld, SeenWorld } from './run-world.ts'

/** A task that waits to be landed, as the store has it. */
interface Waiting {
  readonly task: Case
  readonly source: string
}

const SUBJECTS_READ_MAX = 50
const TYPE = /^([a-z][a-z-]{0,19})(?:\([^)]*\))?!?: /
const USUAL_TYPE = 'feat'

/** The commit that lands for a task: what was reviewed, or the merge of it that settled a conflict. */
export function sourceOf(task: Case, { state, commit, repairCommit }: DeliveryState): string | undefined {
  if (state === 'repair-landing') return repairCommit ?? undefined
  if (commit === null) return undefined
  return readLanding(task, commit).resolution?.commit ?? commit
}

/** The claim under which the work was made; it is kept while the work is reviewed and landed. */
export function entryFence(task: Case): number {
  return task.leases?.develop?.fence ?? task.fence ?? 0
}

/** The queue: every task in delivery's state `integrating`, the longest waiting first. */
export async function queueEntries(world: SeenWorld): Promise<Entry[]> {
  const tasks = await world.store.query({ type: 'task', status: 'review' })
  const waiting = tasks.flatMap((task): Waiting[] => {
    const read = readDelivery(task)
    if (read.kind === 'unreadable' || read.delivery.state !== 'integrating') return []
    const source = sourceOf(task, read.delivery)
    return source === undefined ? [] : [{ task, source }]
  })
  const entries: Entry[] = []
  for (const one of waiting.toSorted((a, b) => sinceOf(a.task).localeCompare(sinceOf(b.task)))) {
    entries.push(await entryOf(world, one))
  }
  return entries
}

/** Since when it waits: the last verdict put it into the queue. */
export function sinceOf(task: Case): string {
  const read = readDelivery(task)
  return (read.kind === 'read' ? read.delivery.verdicts.at(-1)?.at : undefined) ?? task.updatedAt
}

async function entryOf(world: SeenWorld, { task, source }: Waiting): Promise<Entry> {
  return {
    task: task.id,
    agent: agentOf(task),
    fence: entryFence(task),
    source,
    type: await typeOf(world, source),
    description: task.content.split('\n')[0] ?? '',
    dependsOn: await openDependencies(world, task),
  }
}

function agentOf({ leases, metadata }: Case): string {
  const { run } = metadata as { run?: { agent?: unknown } }
  return leases?.develop?.holder ?? (typeof run?.agent === 'string' ? run.agent : 'human')
}

/** The type that the agent gave its own first commit, where the project knows it. */
async function typeOf({ ground, config }: SeenWorld, source: string) {
  const { git, integration } = ground
  const target = await targetOfRecord(git, integration)
  const words = [
    'log',
    `--max-count=${SUBJECTS_READ_MAX}`,
    '--no-merges',
    '--format=%s',
    source,
    `^${target}`,
  ]
  const subjects = (await git.text(integration, [...words, '--'])).split('\n').toReversed()
  const types = subjects.map((subject) => TYPE.exec(subject)?.[1] ?? '')
  const { types: known } = config.commits
  const usual = known.includes(USUAL_TYPE) ? USUAL_TYPE : (known[0] ?? USUAL_TYPE)
  return types.find((type) => known.includes(type)) ?? usual
}

/** What the task and its ancestors depend on and is not done yet. */
async function openDependencies({ store }: Pick<RunWorld, 'store'>, task: Case): Promise<CaseId[]> {
  const open: CaseId[] = []
  let subject: Case | undefined = task
  while (subject !== undefined) {
    const found: readonly Case[] = await store.query({ ids: dependenciesOf(subject) })
    open.push(...found.filter((one) => !isDone(one)).map(({ id }) => id))
    const parents: readonly Case[] = subject.parentId ? await store.query({ ids: [subject.parentId] }) : []
    subject = parents[0]
  }
  return open
}
