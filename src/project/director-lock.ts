import { Failure } from '../platform/failure.ts'
import { compareHosts, type HostMark } from '../platform/host-mark.ts'
import { findProcess, hasProcess } from '../platform/process/process-table.ts'
import type { Store } from '../store/store.ts'
import { changeProject, type Project } from './document.ts'

export type Seat = NonNullable<Project['director']>

/** Identifies this process, and tells whether the process that held the lock before is still alive. */
export interface LockHolder {
  readonly id: string
  readonly pid: number
  /**
   * When the process began, as the kernel reports it: the same process id with another start is another
   * process.
   */
  readonly born: string
  readonly host: HostMark
  /** Called only for a process on this host. */
  isAlive(seat: Seat): Promise<boolean>
}

/** A project has one director at a time: two would send two agents to one task. */
export async function takeDirectorLock(
  store: Store,
  holder: LockHolder,
  { takesOver = false }: { readonly takesOver?: boolean } = {},
): Promise<void> {
  const { id, pid, born, host } = holder
  const at = await store.now()
  const dead = new Set<string>()
  for (;;) {
    let taken: Seat | undefined
    await changeProject(store, id, (project) => {
      taken = project.director !== null && !dead.has(nameOf(project.director)) ? project.director : undefined
      return taken ? undefined : { ...project, director: { id, pid, born, at, host } }
    })
    if (taken === undefined) return
    const isOther = isOnOtherHost(host, taken)
    if (isOther && !takesOver) throw otherHost(taken)
    if (!isOther && !isOfEarlierStart(host, taken) && (await holder.isAlive(taken))) {
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

export async function releaseDirectorLock(store: Store, { id }: LockHolder): Promise<void> {
  await changeProject(store, id, (project) =>
    project.director?.id === id ? { ...project, director: null } : undefined,
  )
}

/** Whether the lock's process cannot be seen from here: another machine, or another container. */
export function isOnOtherHost(here: HostMark, { host }: Seat): boolean {
  return ['other', 'same-kernel'].includes(compareHosts(here, host))
}

function isOfEarlierStart(here: HostMark, { host }: Seat): boolean {
  return compareHosts(here, host) === 'restarted'
}

function otherHost({ id, pid, host }: Seat): Failure {
  return new Failure(
    'DIRECTOR_OTHER_HOST',
    `${id} directs this project on the host ${host?.name} (process ${pid})`,
    {
      hint: 'end it there with Ctrl-C; if nothing of AXIOM runs there any more, "axiom run --take-over" goes on here',
    },
  )
}

function nameOf({ id, pid, born }: Seat): string {
  return `${id}/${pid}/${born}`
}

/**
 * Whether the process that a project names as its director still runs. Process ids are reused, so the start
 * time has to match; where the machine reports no start times, the id alone decides.
 */
export async function isDirectorAlive({ pid, born }: Pick<Seat, 'pid' | 'born'>): Promise<boolean> {
  if (born === '') return hasProcess(pid)
  const found = await findProcess(pid)
  return found !== undefined && String(found.startTicks) === born
}
