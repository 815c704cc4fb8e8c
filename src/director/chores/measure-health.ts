import type { CaseId } from '../../cases/case.ts'
import { WORK } from '../../delivery/delivery-table.ts'
import { decideHealth, nextCheckMs } from '../../health/decide-health.ts'
import type { HealthAction } from '../../health/health-action.ts'
import { applyEvent } from '../../project/delivery/apply-event.ts'
import { directorEvent } from '../../project/delivery/make-event.ts'
import { changeProject } from '../../project/document.ts'
import { stoppedMark } from '../../project/orders.ts'
import { askConsent, readConsent, useConsent } from '../../project/questions/cleaning-consent.ts'
import { deliveryOf } from '../../project/task-notes.ts'
import { type Desk, runHook } from '../context.ts'
import { agentsAtWork, type Snapshot } from '../snapshot.ts'
import type { Chore } from './chore.ts'
import { cleanOrder } from './clean-workspaces.ts'

/** The persona that reports on health. */
const MAX = 'max'
const TOLD = 'You have given no sign for a long time. Say how far you are, or end with a signal.'

/** Max measures the machine and the agents, decides, and has the actions carried out. */
export const measureHealth: Chore = {
  name: 'measure-health',
  isDue: (snapshot) => {
    const atMs = nextMs(snapshot)
    return atMs !== undefined && atMs <= snapshot.nowMs
  },
  nextAt: nextMs,
  run: lookAfterHealth,
}

function nextMs(snapshot: Snapshot): number | undefined {
  return nextCheckMs(snapshot.memory.health, agentsAtWork(snapshot), snapshot.nowMs)
}

async function lookAfterHealth(desk: Desk): Promise<void> {
  const { means } = desk
  const { memory: remembered, rules } = desk.snapshot()
  const facts = await means.hands.measureHealth()
  const now = await means.store.now()
  const { actions, memory } = decideHealth(facts, remembered.health, rules.disk, now)
  desk.remember({ health: memory })
  for (const action of actions) await act(desk, action)
}

async function act(desk: Desk, action: HealthAction): Promise<void> {
  const { means } = desk
  switch (action.kind) {
    case 'alert': {
      const { agent, ...alert } = action.alert
      means.notify({ ...alert, ...(agent === null ? {} : { agent }) })
      if (alert.severity === 'high' || alert.severity === 'critical')
        runHook(means, { event: 'on-error', variables: { CODE: alert.code, MESSAGE: alert.message } })
      return
    }
    case 'hold':
      return hold(desk, action.reason)
    case 'release':
      await changeProject(means.store, MAX, (project) =>
        project.pause?.cause === 'health' ? { ...project, pause: null } : undefined,
      )
      return
    case 'clean':
      return clean(desk, action.bytesWanted)
    case 'stop-all':
      for (const key of desk.snapshot().atWork.keys()) desk.controlOf(key)?.stop()
      return
    case 'ask-checkpoint':
      await tellDelivery(desk, action.task, 'CHECKPOINT_ASKED')
      desk.controlOf(action.task)?.tell({ by: MAX, text: TOLD })
      return
    case 'take-sign':
      return tellDelivery(desk, action.task, 'SIGN_SEEN')
    case 'time-out':
      desk.controlOf(action.task)?.expire(action.reason)
      return
    case 'respawn':
      // The run ends as stopped, and its task is dispatched again.
      desk.controlOf(action.task)?.stop()
      return
    case 'give-up':
      return giveUp(desk, action.task)
    case 'sweep':
      await means.hands.sweep(action.orphan)
      return
  }
}

/**
 * The wait for an agent is kept in its task, so that it survives a restart. A resolver is not part of the
 * delivery line.
 */
async function tellDelivery(
  { means }: Desk,
  id: CaseId,
  signal: 'CHECKPOINT_ASKED' | 'SIGN_SEEN',
): Promise<void> {
  const [task] = await means.store.query({ ids: [id] })
  if (!task || !WORK[deliveryOf(task).state]?.stage) return
  const occurrence = directorEvent(id, signal, `${signal.toLowerCase()}/${task.rev}`)
  await applyEvent(means.store, means.words, { about: id, occurrence })
}

async function hold({ means }: Desk, reason: string): Promise<void> {
  const at = await means.store.now()
  await changeProject(means.store, MAX, (project) =>
    project.pause === null ? { ...project, pause: { cause: 'health', by: MAX, reason, at } } : undefined,
  )
}

async function giveUp(desk: Desk, id: CaseId): Promise<void> {
  const { store } = desk.means
  const metadata = stoppedMark(MAX, await store.now())
  const reason = 'its agents die again and again'
  await store.transact({ commands: [{ kind: 'update', id, metadata, reason }], by: MAX })
  desk.controlOf(id)?.stop()
}

/**
 * On a short disk: frees as much as is wanted, and reports what was removed and what stays. If that was not
 * enough, a person is asked to allow the rest; nothing waits for the answer.
 */
async function clean(desk: Desk, bytesWanted: number): Promise<void> {
  const { means } = desk
  const answer = await readConsent(means.store)
  const consent = answer.kind === 'given'
  const { removed, kept, byConsent } = await means.hands.clean({
    ...cleanOrder(desk, 'disk'),
    bytesWanted,
    consent,
  })
  if (answer.kind === 'given' && answer.question !== null) await useConsent(means.store, MAX, answer.question)
  if (removed.length > 0)
    means.notify({ code: 'DISK_CLEANED', severity: 'low', message: `removed: ${removed.join(', ')}` })
  for (const { name, reasons } of kept)
    means.notify({ code: 'DISK_KEPT', severity: 'medium', message: `${name} stays: ${reasons.join('; ')}` })
  if (answer.kind === 'unasked' && byConsent.length > 0 && !desk.snapshot().rules.nonInteractive)
    await askConsent(means.store, MAX, byConsent)
}
