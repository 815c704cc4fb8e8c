import { Failure } from '../platform/failure.ts'
import type { Store } from '../store/store.ts'
import { changeProject, type Project } from './project-document.ts'

export type Seat = NonNullable<Project['director']>

/** Who this process is, and whether another one that sat here still lives. */
export interface Sitter {
  readonly id: string
  readonly pid: number
  /** When the process began, in the kernel's words: a number that is used again is another process. */
  readonly born: string
  isAlive(seat: Seat): Promise<boolean>
}

/** A project has one director at a time: two would send two agents to one task. */
export async function takeSeat(store: Store, sitter: Sitter): Promise<void> {
  const { id, pid, born } = sitter
  const at = await store.now()
  const dead = new Set<string>()
  for (;;) {
    let taken: Seat | undefined
    await changeProject(store, id, (project) => {
      taken = project.director !== null && !dead.has(nameOf(project.director)) ? project.director : undefined
      return taken ? undefined : { ...project, director: { id, pid, born, at } }
    })
    if (taken === undefined) return
    if (await sitter.isAlive(taken)) {
      throw new Failure(
        'DIRECTOR_RUNNING',
        `${taken.id} directs this project already (process ${taken.pid})`,
        {
          hint: 'let it work, or end it: Ctrl-C where it runs',
        },
      )
    }
    dead.add(nameOf(taken))
  }
}

export async function leaveSeat(store: Store, { id }: Sitter): Promise<void> {
  await changeProject(store, id, (project) =>
    project.director?.id === id ? { ...project, director: null } : undefined,
  )
}

function nameOf({ id, pid, born }: Seat): string {
  return `${id}/${pid}/${born}`
}
