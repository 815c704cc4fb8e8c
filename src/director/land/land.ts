import type { Case } from '../../cases/case.ts'
import type { CaseCommand } from '../../cases/command.ts'
import { type DeliveryState, readDelivery } from '../../delivery/delivery-state.ts'
import type { Entry } from '../../integration/entry.ts'
import type { Landing } from '../../integration/land-candidates.ts'
import { LANDING_KEY, landingMetadata, readLanding } from '../../integration/landing-record.ts'
import { firstWindow, nextWindow } from '../../integration/plan-batch.ts'
import { applyEvent } from '../../project/delivery/apply-event.ts'
import { directorEvent } from '../../project/delivery/make-event.ts'
import { changeProject } from '../../project/document.ts'
import { type Means, runHook } from '../context.ts'
import { countFailure } from '../develop/count-failure.ts'
import type { LandResult } from '../hands.ts'

const FEEDBACK_CHARACTERS_MAX = 20_000
const SAID_CHARACTERS_MAX = 1_000

/** Lands one batch on the target, then reports the outcome to each task. Returns how many landed. */
export async function carryOutLand(means: Means, entries: readonly Entry[]): Promise<number> {
  for (const { task, agent } of entries)
    runHook(means, { event: 'pre-merge', variables: { TASK_ID: task, AGENT: agent } })
  const result = await means.hands.land({ entries })
  // Reported together, their commits share one sync of the disk.
  await Promise.all(
    entries.map(async (entry) => {
      const landing = result.landings.get(entry.task)
      if (landing) await tellLanding(means, entry, landing)
    }),
  )
  const unreachable = [...result.landings.values()].find(
    (landing) => landing.kind === 'deferred' && landing.reason === 'unreachable',
  )
  if (unreachable?.kind === 'deferred')
    means.notify({ code: 'REMOTE_PUSH_FAILED', severity: 'medium', message: unreachable.said ?? '' })
  for (const { commit } of result.flaky) {
    const message = `${commit} was red, then green without a change`
    means.notify({ code: 'CHECK_FLAKY', severity: 'medium', message })
  }
  return countLandings(means, entries, result)
}

/** A task whose change is on the target is done, no matter how it got there. */
export async function tellLanding(means: Means, entry: Entry, landing: Landing): Promise<void> {
  const [task] = await means.store.query({ ids: [entry.task] })
  const read = task && readDelivery(task)
  if (!task || read?.kind !== 'read') return
  const { delivery } = read
  if (landing.kind === 'landed' || landing.kind === 'empty')
    return tellLanded(means, entry, task, delivery, landing)
  if (landing.kind === 'conflict' && delivery.state === 'integrating')
    return keepConflict(means, task, delivery, landing)
  if (landing.kind === 'pushed') return keepPushed(means, entry, task, delivery, landing)
  if (landing.kind === 'stuck' && delivery.state === 'integrating')
    return keepStuck(means, task, delivery, landing)
  const text = reasonOf(landing)
  if (text === undefined) return
  const commit = judgedCommit(delivery)
  const id = `landing-failed/${task.rev}`
  const occurrence = directorEvent(task.id, 'LANDING_FAILED', id, { commit, text })
  await countFailure(means, await applyEvent(means.store, means.words, { about: task.id, occurrence }))
}

async function tellLanded(
  means: Means,
  { agent }: Entry,
  task: Case,
  delivery: DeliveryState,
  landing: Extract<Landing, { kind: 'landed' | 'empty' }>,
): Promise<void> {
  const reviewed = judgedCommit(delivery)
  const commit = landing.kind === 'landed' ? landing.commit : landing.target
  const evidence = (landing.kind === 'landed' && landing.evidence) || null
  const occurrence = directorEvent(task.id, 'LANDED', `landed/${reviewed}`, { commit: reviewed })
  const at = new Date(means.clock.now()).toISOString()
  const landed = { commit, at, evidence, published: false }
  // A repair's change is not the task's own work.
  const isOwn = delivery.state === 'integrating' && reviewed !== null
  const record = isOwn ? readLanding(task, reviewed) : undefined
  const metadata = record ? landingMetadata({ ...record, conflict: null, stuck: null, landed }) : NO_LANDING
  await applyEvent(means.store, means.words, { about: task.id, occurrence, metadata })
  runHook(means, { event: 'post-merge', variables: { TASK_ID: task.id, AGENT: agent, COMMIT: commit } })
}

/** A repair that was offered on the remote is over; its branch is not that of the task's work. */
const NO_LANDING = { [LANDING_KEY]: null }

/** It stays in the queue until others have merged it. */
async function keepPushed(
  means: Means,
  { source }: Entry,
  task: Case,
  delivery: DeliveryState,
  { branch, commit, target }: Extract<Landing, { kind: 'pushed' }>,
): Promise<void> {
  const of = judgedCommit(delivery)
  if (of === null) return
  const record = readLanding(task, of)
  const isKnown = record.pushed?.commit === commit && record.pushed.source === source
  const at = isKnown && record.pushed ? record.pushed.at : new Date(means.clock.now()).toISOString()
  const pushed = { branch, commit, source, target, at }
  const reason = isKnown ? `checked again on ${target}` : `offered on the remote as ${branch}`
  const metadata = landingMetadata({ ...record, of, pushed, stuck: null })
  const command: CaseCommand = { kind: 'update', id: task.id, metadata, reason }
  await means.store.transact({ commands: [command], by: 'director', expect: { [task.id]: task.rev } })
}

/** It leaves the queue until a person has decided how it continues. */
async function keepStuck(
  means: Means,
  task: Case,
  { commit }: DeliveryState,
  { reason, branch, said }: Extract<Landing, { kind: 'stuck' }>,
): Promise<void> {
  if (commit === null) return
  const stuck = { reason, branch, said: said.slice(0, SAID_CHARACTERS_MAX), asked: false }
  const metadata = landingMetadata({ ...readLanding(task, commit), stuck })
  const command: CaseCommand = { kind: 'update', id: task.id, metadata, reason: `${branch}: ${reason}` }
  await means.store.transact({ commands: [command], by: 'director', expect: { [task.id]: task.rev } })
}

/** The commit that the event is about, which a resolver may have replaced by a merge of it. */
function judgedCommit({ state, commit, repairCommit }: DeliveryState): string | null {
  return state === 'repair-landing' ? repairCommit : commit
}

/** It stays in the queue with its conflict, until the resolver or a person has settled it. */
async function keepConflict(
  means: Means,
  task: Case,
  { commit }: DeliveryState,
  { level, target, conflict }: Extract<Landing, { kind: 'conflict' }>,
): Promise<void> {
  if (commit === null) return
  const before = readLanding(task, commit)
  const files = conflict.files.map(({ path }) => path)
  const tries = before.conflict?.tries ?? 0
  const since = new Date(means.clock.now()).toISOString()
  const kept = { level, target, files, tries, since, workspace: null, asked: false, reason: null }
  const command: CaseCommand = {
    kind: 'update',
    id: task.id,
    metadata: landingMetadata({ ...before, resolution: null, conflict: kept }),
    reason: `${level.toLowerCase()} conflict with ${target} in ${files.slice(0, 5).join(', ')}`,
  }
  await means.store.transact({ commands: [command], by: 'director', expect: { [task.id]: task.rev } })
  runHook(means, { event: 'on-conflict', variables: { TASK_ID: task.id, FILES: files.join('\n') } })
}

/** Why it goes back to its developer; undefined when it simply stays in the queue. */
function reasonOf(landing: Landing): string | undefined {
  switch (landing.kind) {
    case 'conflict':
      return `It conflicts with what has landed meanwhile, at ${landing.target}.`
    case 'rejected':
      return landing.feedback.slice(0, FEEDBACK_CHARACTERS_MAX)
    case 'stuck':
      return `The remote does not take ${landing.branch}: ${landing.said}`
    case 'refused':
      if (landing.reason === 'fence-lost') return undefined
      return [`It cannot land: ${landing.reason}.`, ...landing.paths].join('\n')
    default:
      return undefined
  }
}

/** The commit that the branch moved to: the last that landed in this batch. */
function tipOf(entries: readonly Entry[], landings: LandResult['landings']): string | undefined {
  const landed = entries
    .map(({ task }) => landings.get(task))
    .findLast((landing) => landing?.kind === 'landed')
  return landed?.kind === 'landed' && !landed.alreadyThere ? landed.commit : undefined
}

async function countLandings(
  means: Means,
  entries: readonly Entry[],
  { landings }: LandResult,
): Promise<number> {
  const kinds = entries.map(({ task }) => landings.get(task)?.kind)
  const landed = kinds.filter((kind) => kind === 'landed' || kind === 'empty').length
  const rejected = kinds.filter((kind) => kind === 'rejected').length
  if (landed + rejected === 0) return 0
  await changeProject(means.store, 'director', (project) => {
    const { size, rejections } = nextWindow(project.window ?? firstWindow(), landed, rejected)
    return {
      ...project,
      window: { size, rejections: [...rejections] },
      provenTarget: tipOf(entries, landings) ?? project.provenTarget,
      failuresInRow: landed > 0 ? 0 : project.failuresInRow,
      landedSinceCheckpoint: project.landedSinceCheckpoint + landed,
      sprint: project.sprint && { ...project.sprint, landed: project.sprint.landed + landed },
    }
  })
  return landed
}
