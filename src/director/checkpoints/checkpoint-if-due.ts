import { changeProject, readProject } from '../../project/document.ts'
import type { Means } from '../context.ts'

/** Makes a checkpoint after this many landings. */
export async function checkpointIfDue({ store, hands }: Means, every: number): Promise<void> {
  const { project } = await readProject(store)
  if (every === 0 || project.landedSinceCheckpoint < every) return
  await hands.checkpoint?.(`after ${project.landedSinceCheckpoint} landings`)
  await changeProject(store, 'director', (now) => ({ ...now, landedSinceCheckpoint: 0 }))
}
