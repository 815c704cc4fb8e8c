import { randomBytes } from 'node:crypto'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Failure, systemCode } from '../../platform/failure.ts'
import { compareHosts, type HostMark, readHostMark, thisHost } from '../../platform/host-mark.ts'

/** The owner of a project's store, as its lock file describes it to other processes. */
export interface Owner {
  readonly pid: number
  readonly purpose: string
  readonly since: string
  /** File name of the socket in the lock folder. */
  readonly socket: string
  /** The host of the owner; absent in locks of older versions. */
  readonly host?: HostMark | undefined
  /** Set on an orderly exit: on another host nothing else shows that the owner has ended. */
  readonly released?: true
}

export interface OwnerLock {
  readonly owner: Owner
  readonly server: Server
  /** Clients that connected before the store was open. */
  readonly early: Socket[]
  release(): void
}

/** The kernel's limit for the path of a socket (108 with the terminator on Linux, 104 elsewhere). */
const SOCKET_PATH_BYTES_MAX = 103
const CONNECT_MS_MAX = 2_000
/** The last one means that the owner exited while the connection waited to be accepted. */
const NOBODY_THERE = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET']
/** Each lost attempt means that another process got the lock; losing this often does not happen. */
const ATTEMPTS_MAX = 1_000
/**
 * A cloned repository may contain lock files; only names of the form made here are ever opened or removed.
 */
const SOCKET_NAME = /^\d{1,15}-[0-9a-f]{12}\.sock$/
/** Longer numbers are not exact integers any more. */
const LOCK_NAME = /^\d{1,15}$/
/** Connections that may wait to be accepted; eight commands at once are far below it. */
const BACKLOG = 511

/**
 * One owner at a time, without a native module and without anything that can go stale. An owner first listens
 * on a socket of its own and then writes a lock file with the next number, which names that socket. The
 * highest number is the owner; it is alive exactly while its socket answers, and the kernel closes the socket
 * however the process ends. The highest number is never removed, so a slow process cannot mistake a newer
 * lock for a dead one.
 *
 * A socket answers only on the host where it was made. A lock of another host holds until its owner marks it
 * as released, or a person removes it.
 */
export async function acquireOwnerLock(
  folder: string,
  purpose: string,
  now: string,
): Promise<OwnerLock | Owner> {
  makeFolder(folder)
  const server = createServer({ pauseOnConnect: true })
  const early: Socket[] = []
  server.on('connection', (client) => early.push(client.on('error', () => client.destroy())))
  const socket = `${process.pid}-${randomBytes(6).toString('hex')}.sock`
  await listen(server, socketPath(folder, socket))
  const owner: Owner = { pid: process.pid, purpose, since: now, socket, host: thisHost() }
  const draft = join(folder, `${socket}.draft`)
  const withdraw = () => {
    server.close()
    rmSync(join(folder, socket), { force: true })
  }
  try {
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const highest = numbersIn(folder).at(-1) ?? 0
      const holder = highest > 0 ? readOwner(folder, highest) : undefined
      const isForeign = compareHosts(thisHost(), holder?.host) === 'other'
      if (holder && isForeign && !holder.released) throw otherHost(join(folder, String(highest)), holder)
      if (holder && !isForeign && (await answers(socketPath(folder, holder.socket)))) {
        withdraw()
        return holder
      }
      if (tryTake(folder, draft, highest + 1)) {
        sweep(folder, highest + 1, socket)
        return {
          owner,
          server,
          early,
          release: () => {
            giveUp(folder, highest + 1, owner)
            server.close()
          },
        }
      }
    }
    throw new Failure('STORE_LOCK_FAILED', `${ATTEMPTS_MAX} others were quicker`, {
      hint: 'try again',
      retryable: true,
    })
  } catch (error) {
    // A server left listening would keep the process from ending.
    withdraw()
    throw error instanceof Failure ? error : lockFailure(folder, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

export function isOwner(value: OwnerLock | Owner): value is Owner {
  return 'pid' in value
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw lockFailure(folder, error)
  }
  // Numbered files are deleted here, so the folder must be AXIOM's own and not the target of a link.
  if (!lstatSync(folder).isDirectory()) throw lockFailure(folder, 'it is a link, not a folder')
}

/** Takes this number, unless it or a higher one is taken. */
function tryTake(folder: string, draft: string, number: number): boolean {
  const path = join(folder, String(number))
  try {
    linkSync(draft, path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw lockFailure(folder, error)
  }
  // A slow process may take a number that was deleted long ago; a higher lock file then still exists.
  if ((numbersIn(folder).at(-1) ?? 0) === number) return true
  rmSync(path, { force: true })
  return false
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => LOCK_NAME.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}

function readOwner(folder: string, number: number): Owner | undefined {
  try {
    const found: Partial<Owner> | null = JSON.parse(readFileSync(join(folder, String(number)), 'utf8'))
    if (!SOCKET_NAME.test(String(found?.socket))) return undefined
    return { ...(found as Owner), host: readHostMark(found?.host) }
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw lockFailure(folder, error)
  }
}

/** Marks the lock as released. If that write fails, a person has to confirm it on another host. */
function giveUp(folder: string, number: number, owner: Owner): void {
  const draft = join(folder, `${owner.socket}.draft`)
  try {
    writeFileSync(draft, JSON.stringify({ ...owner, released: true } satisfies Owner), { mode: 0o600 })
    renameSync(draft, join(folder, String(number)))
  } catch (error) {
    rmSync(draft, { force: true })
    if (systemCode(error) === '') throw error
  }
}

/** Removes the files of earlier owners: lower numbers, and sockets that no lock file names. */
function sweep(folder: string, current: number, socket: string): void {
  for (const number of numbersIn(folder)) {
    if (number >= current) continue
    const old = readOwner(folder, number)
    if (old && old.socket !== socket) rmSync(join(folder, old.socket), { force: true })
    rmSync(join(folder, String(number)), { force: true })
  }
}

/** A socket path within the kernel's limit, however deep the project folder is. */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  if (process.platform === 'linux') return `/proc/self/fd/${folderHandle(folder)}/${name}`
  throw new Failure(
    'STORE_PATH_TOO_LONG',
    `${path} is longer than the ${SOCKET_PATH_BYTES_MAX} bytes that a socket's path may have`,
    {
      hint: 'move the project to a shorter path',
    },
  )
}

const handles = new Map<string, number>()

/** Kept open for the life of the process: one per project folder. */
function folderHandle(folder: string): number {
  const fd = handles.get(folder) ?? openSync(folder, 'r')
  handles.set(folder, fd)
  return fd
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(lockFailure(path, error)))
    server.listen({ path, backlog: BACKLOG }, resolve)
  })
}

/** Connects to an owner; undefined when it is gone. */
export function connectTo(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_MS_MAX)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      if (NOBODY_THERE.includes(systemCode(error))) resolve(undefined)
      else reject(lockFailure(path, error))
    })
  })
}

async function answers(path: string): Promise<boolean> {
  const socket = await connectTo(path)
  socket?.destroy()
  return socket !== undefined
}

function otherHost(path: string, { purpose, host, pid, since }: Owner): Failure {
  return new Failure(
    'STORE_OTHER_HOST',
    `the store is held by "${purpose}" on the host ${host?.name} (process ${pid}, since ${since}), and this is the host ${thisHost().name}`,
    {
      hint: `end AXIOM there, then try again; if nothing of AXIOM runs there any more, remove ${path}`,
    },
  )
}

function lockFailure(path: string, error: unknown): Failure {
  return new Failure(
    'STORE_LOCK_FAILED',
    `the store's lock at ${path} cannot be used: ${error instanceof Error ? error.message : error}`,
    {
      hint:
        systemCode(error) === 'ENOSPC'
          ? 'the disk is full: free some space, then try again'
          : 'the folder must be writable and on a local disk',
      cause: error,
    },
  )
}
