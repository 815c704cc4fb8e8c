import { changeProject } from '../project-document.ts'
import type { Desk } from './carry-out.ts'

const CODE = 'REPOSITORY_TOUCHED'
const SHOWN_MAX = 10

/** Where agents work without walls: if the user's repository was tampered with, all of them end, and a person looks. */
export async function watchRepository(desk: Desk): Promise<void> {
  const { means } = desk
  const { touchedParts } = means.hands
  // Behind walls nobody can reach it, and nobody looks again.
  desk.done({ watchedAtMs: touchedParts ? means.clock.now() : Number.POSITIVE_INFINITY, hasAgentLeft: false })
  const touched = (await touchedParts?.()) ?? []
  if (touched.length === 0) return
  const parts = touched.slice(0, SHOWN_MAX).join(', ')
  const reason = `while agents worked without a sandbox, somebody changed ${parts} of your repository`
  const at = await means.store.now()
  await changeProject(means.store, 'director', (project) =>
    project.pause?.cause === 'person'
      ? undefined
      : { ...project, pause: { cause: 'tripwire', by: 'director', reason, at } },
  )
  for (const key of desk.scene().atWork.keys()) desk.controlOf(key)?.stop()
  means.notify({
    code: CODE,
    severity: 'critical',
    message: `${reason}; all agents were stopped. If it was you: axiom resume`,
  })
}
