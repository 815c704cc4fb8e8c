import { changeProject } from '../../project/document.ts'
import type { Desk } from '../context.ts'
import { agentsAtWork } from '../snapshot.ts'
import { type Chore, hasPassed, isWanted, lastRunMs } from './chore.ts'

const CODE = 'REPOSITORY_TOUCHED'
const SHOWN_MAX = 10

const NAME = 'guard-repository'
/** An agent that changes the user's repository is stopped before anything that it left there can run. */
const EVERY_MS = 5_000

/**
 * For agents without a sandbox: when the user's repository was tampered with, all agents end and a person
 * decides.
 */
export const guardRepository: Chore = {
  name: NAME,
  isDue: (snapshot) =>
    isWanted(snapshot, NAME) || (agentsAtWork(snapshot) > 0 && hasPassed(snapshot, NAME, EVERY_MS)),
  nextAt: (snapshot) => (agentsAtWork(snapshot) > 0 ? lastRunMs(snapshot, NAME) + EVERY_MS : undefined),
  run: guard,
}

async function guard(desk: Desk): Promise<void> {
  const { means } = desk
  const { touchedParts } = means.hands
  // In a sandbox no agent can reach the repository.
  if (!touchedParts) return desk.retire(NAME)
  const touched = await touchedParts()
  if (touched.length === 0) return
  const parts = touched.slice(0, SHOWN_MAX).join(', ')
  const reason = `while agents worked without a sandbox, somebody changed ${parts} of your repository`
  const at = await means.store.now()
  await changeProject(means.store, 'director', (project) =>
    project.pause?.cause === 'person'
      ? undefined
      : { ...project, pause: { cause: 'tripwire', by: 'director', reason, at } },
  )
  for (const key of desk.snapshot().atWork.keys()) desk.controlOf(key)?.stop()
  means.notify({
    code: CODE,
    severity: 'critical',
    message: `${reason}; all agents were stopped. If it was you: axiom resume`,
  })
}
