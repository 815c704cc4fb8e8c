import { changeProject } from '../../project/document.ts'
import type { Means } from '../context.ts'

/** Landings made by others count for sprints and checkpoints like the director's own. */
export async function countFound({ store }: Means, landed: number): Promise<void> {
  if (landed === 0) return
  await changeProject(store, 'director', (project) => ({
    ...project,
    failuresInRow: 0,
    landedSinceCheckpoint: project.landedSinceCheckpoint + landed,
    sprint: project.sprint && { ...project.sprint, landed: project.sprint.landed + landed },
  }))
}
