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
import { Failure, systemCode } from '../platform/failure.ts'
import { compareHosts, type HostMark, readHostMark, thisHost } from '../platform/host-mark.ts'

/** Who owns a project's store, as the others are told. */
export interface Owner {
  readonly pid: number
  readonly purpose: string
  readonly since: string
  /** File name of the socket in the lock folder. */
  readonly socket: string
  /** Where it runs; absent in locks of older versions. */
  readonly host?: HostMark | undefined
  /** Said when it ends in order: on another host nothing else shows that it has. */
  readonly released?: true
}

export interface OwnerLock {
  readonly owner: Owner
  readonly server: Server
  /** Clients that came before there was a store to serve them. */
  readonly early: Socket[]
  release(): void
}

/** The kernel takes no longer path for a socket (108 with its end on Linux, 104 elsewhere). */
const SOCKET_PATH_BYTES_MAX = 103
const CONNECT_MS_MAX = 2_000
/** The last one: an owner left while the connection waited to be taken. */
const NOBODY_THERE = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET']
/** Each lost attempt means that another process got the lock; nobody loses this often. */
const ATTEMPTS_MAX = 1_000
/** A cloned repository may bring lock files along. Only names that this file makes itself are ever opened or removed. */
const SOCKET_NAME = /^\d{1,15}-[0-9a-f]{12}\.sock$/
/** Longer ones are no whole numbers any more. */
const LOCK_NAME = /^\d{1,15}$/
/** Waiting connections; eight commands at once are far from it. */
const BACKLOG = 511

/**
 * One owner at a time, without a native module and without anything that can go stale. An owner first listens
 * on a socket of its own and then puts down a lock file with the next number, which names that socket. The highest number
 * is the owner; it is alive exactly while its socket answers, and the kernel closes that whatever
 * way the process ends. Nobody ever removes the highest number, so a slow process cannot take a newer lock for a dead one.
 *
 * A socket answers only on the host where it was made. A lock of another host holds until its owner says that it gave it
 * up, or a person removes it.
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
  // Numbered files are swept away here, so it must be our own folder and not one that a link names.
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
  // A slow process may take a number that was swept long ago; the highest still stands and shows it.
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

/** Says in the lock that its owner has ended. Where that cannot be written, a person on another host is asked. */
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

/** Removes what earlier owners left: lower numbers, and the sockets that no lock file names. */
function sweep(folder: string, current: number, socket: string): void {
  for (const number of numbersIn(folder)) {
    if (number >= current) continue
    const old = readOwner(folder, number)
    if (old && old.socket !== socket) rmSync(join(folder, old.socket), { force: true })
    rmSync(join(folder, String(number)), { force: true })
  }
}

/** A path that the kernel takes, however deep the project lies. */
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

/** Connects to an owner; undefined when nobody is there any more. */
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
