import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '../process/process-table.ts'
import { supervise } from '../process/supervise.ts'
import { CANARY_PROGRAM } from './canary-program.ts'
import { confine } from './confine.ts'
import {
  DEFAULT_LIMITS,
  type Network,
  SANDBOX_LEVELS,
  type SandboxHost,
  type SandboxLevel,
} from './confinement.ts'
import {
  chooseLevel,
  eachProbe,
  isSandbox,
  type LevelReport,
  type ProbeResult,
  type SandboxReport,
} from './sandbox-report.ts'

export interface ProbeOptions {
  /** `auto` tries from the tightest; a name tries that level alone. */
  readonly level?: SandboxLevel | 'auto'
  readonly network?: Network
  /** Also tries the levels below the first that holds. */
  readonly all?: boolean
}

const CANARY_MAX_MS = 10_000
const SURVIVOR_WAIT_MS = 1_000
const OUTPUT_BYTES_MAX = 64 * 1024
const STOP_GRACE_MS = 200

/**
 * Finds out by trying which level holds. Whether a program is installed proves nothing, and neither does what a
 * confined program says about itself: what can be seen from outside is looked at from outside.
 */
export async function probeSandbox(host: SandboxHost, options: ProbeOptions = {}): Promise<SandboxReport> {
  const network = options.network ?? { kind: 'host' }
  const wanted = options.level ?? 'auto'
  const levels = wanted === 'auto' ? SANDBOX_LEVELS : [wanted]
  const tried: LevelReport[] = []
  for (const level of levels) {
    const report = await tryLevel(level, host, network)
    tried.push(report)
    if (isSandbox(report) && !options.all) break
  }
  return chooseLevel(tried, network.kind)
}

async function tryLevel(level: SandboxLevel, host: SandboxHost, network: Network): Promise<LevelReport> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'canary-')))
  try {
    return await new Canary(level, host, network, folder).run()
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return { level, works: false, note, probes: eachProbe('untried') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

class Canary {
  readonly #level: SandboxLevel
  readonly #host: SandboxHost
  readonly #network: Network
  readonly #folder: string
  readonly #secret = `canary-${randomUUID()}`
  /** A length of sleep that no other process has: the orphan is found again by its arguments. */
  readonly #seconds = `300.${randomInt(1_000_000, 9_999_999)}`

  constructor(level: SandboxLevel, host: SandboxHost, network: Network, folder: string) {
    this.#level = level
    this.#host = host
    this.#network = network
    this.#folder = folder
  }

  async run(): Promise<LevelReport> {
    const repository = join(this.#folder, 'repository')
    const workspace = join(repository, 'workspaces', 'canary')
    await mkdir(workspace, { recursive: true })
    // Open to every user of the machine: what holds must be the sandbox, not the owner of these files.
    await writeFile(join(repository, 'secret'), this.#secret)
    await chmod(this.#folder, 0o755)
    await chmod(repository, 0o777)
    const neighbour = spawn('sleep', ['60'], {
      env: { CANARY_SECRET: this.#secret, PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    })
    const server = createServer((socket) => socket.end())
    try {
      await Promise.all([once(neighbour, 'spawn'), once(server.listen(0, '127.0.0.1'), 'listening')])
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const { output, errors } = await this.#start(repository, workspace, port)
      return await this.#judge(output, errors, join(repository, 'written'))
    } finally {
      neighbour.kill('SIGKILL')
      server.close()
      for (const pid of await this.#survivors()) signalProcess(pid, 'SIGKILL')
    }
  }

  async #start(
    repository: string,
    workspace: string,
    port: number,
  ): Promise<{ output: string; errors: string }> {
    const args = [
      join(repository, 'written'),
      join(repository, 'secret'),
      this.#secret,
      String(port),
      this.#seconds,
    ]
    const request = await confine(
      { program: process.execPath, args: ['-e', CANARY_PROGRAM, ...args], environment: {} },
      {
        workspace,
        home: join(this.#folder, 'home'),
        temporary: join(this.#folder, 'temporary'),
        masked: [repository],
        readOnly: [],
        readWrite: [],
        network: this.#network,
        limits: DEFAULT_LIMITS,
      },
      this.#level,
      this.#host,
    )
    const canary = await supervise(request)
    canary.stdin.end()
    const reading = Promise.all([readAll(canary.stdout), readAll(canary.stderr)])
    const timer = setTimeout(() => void canary.stop(STOP_GRACE_MS), CANARY_MAX_MS)
    await canary.ended
    clearTimeout(timer)
    const [output, errors] = await reading
    return { output, errors }
  }

  async #judge(output: string, errors: string, written: string): Promise<LevelReport> {
    const said = parse(output)
    if (said?.ran !== true) {
      const note = `no program could be run: ${errors.trim().split('\n').at(-1) || 'it said nothing'}`
      return { level: this.#level, works: false, note, probes: eachProbe('untried') }
    }
    const wrote = await stat(written).then(
      () => true,
      () => false,
    )
    const probes = {
      'write-outside': result(wrote),
      'read-secret': result(output.includes(this.#secret)),
      'read-environment': result(typeof said.environ !== 'number' || said.environ > 0),
      'reach-port': result(said.reached === true),
      outlive: said.forked === true ? result((await this.#survivorsAfterWait()) > 0) : 'untried',
      'be-root': result(said.shadow === true || said.uid === 0),
    } as const
    const open = Object.entries(probes).flatMap(([probe, state]) => (state === 'held' ? [] : [probe]))
    const note = open.length === 0 ? 'everything was refused' : `not refused: ${open.join(', ')}`
    return { level: this.#level, works: true, note, probes }
  }

  async #survivorsAfterWait(): Promise<number> {
    for (let waited = 0; waited < SURVIVOR_WAIT_MS; waited += 50) {
      if ((await this.#survivors()).length === 0) return 0
      await sleep(50)
    }
    return (await this.#survivors()).length
  }

  async #survivors(): Promise<number[]> {
    const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
    const found = await Promise.all(
      names.map(async (name) => {
        const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
        return words[0] === 'sleep' && words[1] === this.#seconds ? [Number(name)] : []
      }),
    )
    return found.flat()
  }
}

function result(happened: boolean): ProbeResult {
  return happened ? 'open' : 'held'
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(output: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
