import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAM = resolve(import.meta.dirname, '../../bin/axiom.js')
const POLL_MS = 200
const READY_MS_MAX = 300_000

export interface Served {
  readonly url: string
  readonly token: string
  stop(): Promise<void>
}

/** A demo that works while one looks at it, and whatever servers are started over it. */
export interface DemoProject extends AsyncDisposable {
  readonly root: string
  /** The exit code of the demo, once it has ended. */
  readonly ended: Promise<number>
  serve(): Promise<Served>
}

export async function startDemo(): Promise<DemoProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'axiom-watched-')))
  const root = join(base, 'ledger')
  // The address and token of one server are kept for the next, and must not mix with those of the person.
  const env = { ...process.env, XDG_STATE_HOME: join(base, 'state'), AXIOM_TOKEN: '', NO_COLOR: '1' }
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const demo = start('demo', '--exit', '--json', '--dir', root)
  demo.stdout?.resume()
  const ended = once(demo, 'exit').then(([code]) => (typeof code === 'number' ? code : -1))
  const children = new Set([demo])
  await isReady(root, demo)
  return {
    root,
    ended,
    serve: async () => {
      const child = start('serve', '--no-open', '--json', '--cwd', root)
      children.add(child)
      return listening(child)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...children].map(stop))
      await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: POLL_MS })
    },
  }
}

async function isReady(root: string, demo: ChildProcess): Promise<void> {
  const until = Date.now() + READY_MS_MAX
  while (!existsSync(join(root, '.git/axiom-demo-ready'))) {
    if (demo.exitCode !== null || Date.now() > until) throw new Error('the demo did not get ready')
    await sleep(POLL_MS)
  }
}

async function listening(child: ChildProcess): Promise<Served> {
  if (child.stdout === null) throw new Error('the server has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string }
    return { url, token, stop: () => stop(child) }
  }
  throw new Error('the server ended before it listened')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
